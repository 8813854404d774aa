// Reads the whole file: of ELF the kind and machine in its header, and that each
// segment and section lies within the file; of other formats whether it begins as the object does.
// Nothing of the file is believed before its place is known to be there. All targets of tmlc are
// little-endian.
#include "driver/link.h"
#include "support/file.h"

#include <elf.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Where three fields of the header describe a table, and two of its entries a part of the file.
typedef struct TableLayout {
    size_t start, entry_bytes, count;
    size_t part_at, part_bytes;
} TableLayout;

typedef struct Layout {
    size_t word, header; // bytes
    TableLayout segments, sections;
} Layout;

#define LAYOUT(Off, Ehdr, Phdr, Shdr)                                                              \
    {                                                                                              \
        .word = sizeof(Off),                                                                       \
        .header = sizeof(Ehdr),                                                                    \
        .segments = {offsetof(Ehdr, e_phoff), offsetof(Ehdr, e_phentsize),                         \
                     offsetof(Ehdr, e_phnum), offsetof(Phdr, p_offset), offsetof(Phdr, p_filesz)}, \
        .sections = {offsetof(Ehdr, e_shoff), offsetof(Ehdr, e_shentsize),                         \
                     offsetof(Ehdr, e_shnum), offsetof(Shdr, sh_offset), offsetof(Shdr, sh_size)}, \
    }

static const Layout layouts[] = {
    [ELFCLASS32] = LAYOUT(Elf32_Off, Elf32_Ehdr, Elf32_Phdr, Elf32_Shdr),
    [ELFCLASS64] = LAYOUT(Elf64_Off, Elf64_Ehdr, Elf64_Phdr, Elf64_Shdr),
};

typedef struct File {
    const unsigned char *data;
    size_t len;
    const Layout *layout;
} File;

static uint64_t number(const unsigned char *at, size_t bytes) {
    uint64_t value = 0;
    for (size_t i = bytes; i-- > 0;) {
        value = value << 8 | at[i];
    }
    return value;
}

static bool holds(const File *file, uint64_t at, uint64_t bytes) {
    return at <= file->len && bytes <= file->len - at;
}

// Whether a table and what its entries describe lie within the file. The type of a section is the
// same for both classes.
static bool table_is_whole(const File *file, const TableLayout *table) {
    size_t word = file->layout->word;
    uint64_t start = number(file->data + table->start, word);
    uint64_t bytes = number(file->data + table->entry_bytes, sizeof(Elf64_Half));
    uint64_t count = start == 0 ? 0 : number(file->data + table->count, sizeof(Elf64_Half));
    bool whole = holds(file, start, bytes * count);
    for (uint64_t i = 0; whole && i < count; i++) {
        const unsigned char *entry = file->data + start + i * bytes;
        const unsigned char *type = entry + offsetof(Elf64_Shdr, sh_type);
        bool is_empty =
            table == &file->layout->sections && number(type, sizeof(Elf64_Word)) == SHT_NOBITS;
        whole = is_empty || holds(file, number(entry + table->part_at, word),
                                  number(entry + table->part_bytes, word));
    }
    return whole && (count > 0 || table == &file->layout->sections);
}

static bool is_right_kind(const unsigned char *data, const unsigned char *object, bool is_shared) {
    const size_t type_at = offsetof(Elf64_Ehdr, e_type),
                 machine_at = offsetof(Elf64_Ehdr, e_machine);
    uint64_t type = number(data + type_at, sizeof(Elf64_Half));
    return data[EI_CLASS] == object[EI_CLASS] && data[EI_DATA] == object[EI_DATA] &&
           memcmp(data + machine_at, object + machine_at, sizeof(Elf64_Half)) == 0 &&
           (type == ET_DYN || (type == ET_EXEC && !is_shared));
}

// Why the file is not what was wanted, or NULL.
static const char *find_fault(const char *data, size_t len, const Buffer *object, bool is_shared) {
    if (len < SELFMAG || memcmp(data, object->data, SELFMAG) != 0) {
        return len == 0 ? "the linker left an empty file"
                        : "the linker left a file of another kind";
    }
    if (memcmp(data, ELFMAG, SELFMAG) != 0) {
        return NULL;
    }
    const unsigned char *object_bytes = (const unsigned char *)object->data;
    File file = {(const unsigned char *)data, len, &layouts[object_bytes[EI_CLASS]]};
    if (len < file.layout->header) {
        return "the linker left an incomplete file";
    }
    if (!is_right_kind(file.data, object_bytes, is_shared)) {
        return "the linker left a file of another kind";
    }
    bool is_whole = table_is_whole(&file, &file.layout->segments) &&
                    table_is_whole(&file, &file.layout->sections);
    return is_whole ? NULL : "the linker left an incomplete file";
}

bool linked_file_check(const char *path, const Buffer *object, bool is_shared, const char **error) {
    char *data;
    size_t len;
    if (!file_read(path, &data, &len, error)) {
        return false;
    }
    *error = find_fault(data, len, object, is_shared);
    free(data);
    return *error == NULL;
}
