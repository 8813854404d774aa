// See linked_file.h. Reads the whole file: of ELF the kind and machine in its header, and that each
// segment and section lies within the file; of other formats whether it begins as the object does.
// Nothing of the file is believed before its place is known to be there. All targets of tmlc are
// little-endian.
#include "driver/linked_file.h"

#include "support/file.h"

#include <elf.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Where the fields of headers, segments and sections lie.
typedef struct Layout {
    size_t word, header;
    size_t segments, segment_bytes, segment_count, segment_at, segment_size;
    size_t sections, section_bytes, section_count, section_type, section_at, section_size;
} Layout;

#define LAYOUT(Off, Ehdr, Phdr, Shdr)                 \
    {                                                 \
        .word = sizeof(Off),                          \
        .header = sizeof(Ehdr),                       \
        .segments = offsetof(Ehdr, e_phoff),          \
        .segment_bytes = offsetof(Ehdr, e_phentsize), \
        .segment_count = offsetof(Ehdr, e_phnum),     \
        .segment_at = offsetof(Phdr, p_offset),       \
        .segment_size = offsetof(Phdr, p_filesz),     \
        .sections = offsetof(Ehdr, e_shoff),          \
        .section_bytes = offsetof(Ehdr, e_shentsize), \
        .section_count = offsetof(Ehdr, e_shnum),     \
        .section_type = offsetof(Shdr, sh_type),      \
        .section_at = offsetof(Shdr, sh_offset),      \
        .section_size = offsetof(Shdr, sh_size),      \
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

typedef struct Table {
    const unsigned char *entries;
    uint64_t bytes, count;
} Table;

// The table that three fields of the header describe. False: it does not lie within the file.
static bool find_table(const File *file, size_t at, size_t bytes, size_t count, Table *table) {
    uint64_t offset = number(file->data + at, file->layout->word);
    table->bytes = number(file->data + bytes, sizeof(Elf64_Half));
    table->count = offset == 0 ? 0 : number(file->data + count, sizeof(Elf64_Half));
    bool is_held = holds(file, offset, table->bytes * table->count);
    table->entries = is_held ? file->data + offset : NULL;
    return is_held;
}

// Whether what an entry describes lies within the file.
static bool is_held(const File *file, const unsigned char *entry, size_t at, size_t size) {
    size_t word = file->layout->word;
    return holds(file, number(entry + at, word), number(entry + size, word));
}

static bool segments_are_whole(const File *file) {
    const Layout *layout = file->layout;
    Table table;
    bool whole =
        find_table(file, layout->segments, layout->segment_bytes, layout->segment_count, &table) &&
        table.count > 0;
    for (size_t i = 0; whole && i < table.count; i++) {
        const unsigned char *entry = table.entries + i * table.bytes;
        whole = is_held(file, entry, layout->segment_at, layout->segment_size);
    }
    return whole;
}

static bool sections_are_whole(const File *file) {
    const Layout *layout = file->layout;
    Table table;
    bool whole =
        find_table(file, layout->sections, layout->section_bytes, layout->section_count, &table);
    for (size_t i = 0; whole && i < table.count; i++) {
        const unsigned char *entry = table.entries + i * table.bytes;
        whole = number(entry + layout->section_type, sizeof(Elf64_Word)) == SHT_NOBITS ||
                is_held(file, entry, layout->section_at, layout->section_size);
    }
    return whole;
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
    bool is_whole = segments_are_whole(&file) && sections_are_whole(&file);
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
