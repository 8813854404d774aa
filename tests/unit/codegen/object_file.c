// See object_file.h. Reads sections and symbols of little-endian ELF, 32 and 64 bits, with every
// offset checked; what is malformed fails the test.
#include "object_file.h"

#include <criterion/criterion.h>
#include <elf.h>
#include <string.h>

// The fields that matter of a section or symbol, whatever the class of the file.
typedef struct Section {
    uint32_t name, type, link;
    uint64_t flags, offset, size;
} Section;

typedef struct Symbol {
    uint32_t name;
    uint16_t section;
    uint8_t info;
} Symbol;

typedef struct Reader {
    const char *data;
    size_t len;
    bool is_64;
    uint64_t section_offset;
    uint16_t section_count, name_section;
} Reader;

static const void *at(const Reader *reader, uint64_t offset, uint64_t bytes) {
    cr_assert(offset <= reader->len && bytes <= reader->len - offset);
    return reader->data + offset;
}

static Reader reader_of(const Buffer *object) {
    Reader reader = {.data = object->data, .len = object->len};
    const Elf64_Ehdr *wide = at(&reader, 0, sizeof(Elf32_Ehdr));
    cr_assert_eq(memcmp(wide->e_ident, ELFMAG, SELFMAG), 0);
    cr_assert_eq(wide->e_ident[EI_DATA], ELFDATA2LSB);
    reader.is_64 = wide->e_ident[EI_CLASS] == ELFCLASS64;
    const Elf32_Ehdr *narrow = (const void *)wide;
    reader.section_offset = reader.is_64 ? wide->e_shoff : narrow->e_shoff;
    reader.section_count = reader.is_64 ? wide->e_shnum : narrow->e_shnum;
    reader.name_section = reader.is_64 ? wide->e_shstrndx : narrow->e_shstrndx;
    return reader;
}

static Section section_at(const Reader *reader, size_t i) {
    size_t bytes = reader->is_64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
    const void *header = at(reader, reader->section_offset + i * bytes, bytes);
    if (reader->is_64) {
        const Elf64_Shdr *s = header;
        return (Section){s->sh_name, s->sh_type, s->sh_link, s->sh_flags, s->sh_offset, s->sh_size};
    }
    const Elf32_Shdr *s = header;
    return (Section){s->sh_name, s->sh_type, s->sh_link, s->sh_flags, s->sh_offset, s->sh_size};
}

static Symbol symbol_at(const Reader *reader, const Section *table, size_t i) {
    if (reader->is_64) {
        const Elf64_Sym *s = at(reader, table->offset + i * sizeof(*s), sizeof(*s));
        return (Symbol){s->st_name, s->st_shndx, s->st_info};
    }
    const Elf32_Sym *s = at(reader, table->offset + i * sizeof(*s), sizeof(*s));
    return (Symbol){s->st_name, s->st_shndx, s->st_info};
}

static void read_symbols(const Reader *reader, const Section *table, ObjectFile *file) {
    Section strings = section_at(reader, table->link);
    size_t bytes = reader->is_64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
    for (size_t i = 1; i < table->size / bytes; i++) {
        Symbol symbol = symbol_at(reader, table, i);
        if (symbol.section == SHN_UNDEF) {
            cr_assert_lt(file->undefined_count, OBJECT_SYMBOL_LIMIT);
            file->undefined[file->undefined_count++] = at(reader, strings.offset + symbol.name, 1);
        }
        cr_assert_neq(symbol.section, SHN_COMMON);
    }
}

ObjectFile object_file_read(const Buffer *object) {
    ObjectFile file = {0};
    Reader reader = reader_of(object);
    Section names = section_at(&reader, reader.name_section);
    for (size_t i = 0; i < reader.section_count; i++) {
        Section section = section_at(&reader, i);
        const char *name = at(&reader, names.offset + section.name, 1);
        if (section.type == SHT_SYMTAB) {
            read_symbols(&reader, &section, &file);
        }
        if ((section.flags & SHF_ALLOC) == 0 || section.size == 0) {
            continue;
        }
        bool is_relocated = strncmp(name, ".data.rel.ro", strlen(".data.rel.ro")) == 0;
        if (section.flags & SHF_EXECINSTR) {
            file.code_bytes += section.size;
        } else {
            file.constant_bytes += section.size;
        }
        if ((section.flags & SHF_WRITE) != 0 && !is_relocated) {
            file.writable = name;
        }
        if ((section.flags & SHF_TLS) != 0 || section.type == SHT_INIT_ARRAY ||
            section.type == SHT_FINI_ARRAY) {
            file.extra = name;
        }
    }
    return file;
}
