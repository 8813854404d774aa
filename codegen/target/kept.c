// See kept.h. Does what `ld --gc-sections` does: a section is kept whole, with those that its
// relocations name, and with those that are in order with it (tables to unwind by, of ARM). LLVM's
// C interface does not say which section a relocation is in, so this reads ELF, of both classes.
#include "codegen/target/kept.h"

#include <elf.h>
#include <string.h>

typedef struct Section {
    uint32_t type, link, info;
    uint64_t flags, offset, bytes;
    bool is_kept;
} Section;

typedef struct Object {
    const char *data;
    bool is_64;
    Section *sections;
    size_t count;
    const Section *symbols; // the table of them
} Object;

static Section read_section(const Object *object, uint64_t offset) {
    const void *header = object->data + offset;
    if (object->is_64) {
        const Elf64_Shdr *s = header;
        return (Section){s->sh_type,   s->sh_link, s->sh_info, s->sh_flags,
                         s->sh_offset, s->sh_size, false};
    }
    const Elf32_Shdr *s = header;
    return (Section){s->sh_type,   s->sh_link, s->sh_info, s->sh_flags,
                     s->sh_offset, s->sh_size, false};
}

static void read_sections(Arena *arena, Object *object) {
    const Elf64_Ehdr *wide = (const void *)object->data;
    const Elf32_Ehdr *narrow = (const void *)object->data;
    object->is_64 = wide->e_ident[EI_CLASS] == ELFCLASS64;
    uint64_t at = object->is_64 ? wide->e_shoff : narrow->e_shoff;
    size_t bytes = object->is_64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
    object->count = object->is_64 ? wide->e_shnum : narrow->e_shnum;
    object->sections = ARENA_ARRAY(arena, Section, object->count);
    for (size_t i = 0; i < object->count; i++) {
        object->sections[i] = read_section(object, at + i * bytes);
        if (object->sections[i].type == SHT_SYMTAB) {
            object->symbols = &object->sections[i];
        }
    }
}

// The section of a symbol; the count of sections where it is in none.
static size_t section_of(const Object *object, uint64_t number, uint32_t *name) {
    const void *table = object->data + object->symbols->offset;
    size_t section;
    if (object->is_64) {
        const Elf64_Sym *symbol = (const Elf64_Sym *)table + number;
        *name = symbol->st_name;
        section = symbol->st_shndx;
    } else {
        const Elf32_Sym *symbol = (const Elf32_Sym *)table + number;
        *name = symbol->st_name;
        section = symbol->st_shndx;
    }
    return section == SHN_UNDEF || section >= object->count ? object->count : section;
}

static void keep(Object *object, size_t section);

static void keep_relocated(Object *object, const Section *relocations) {
    bool has_addend = relocations->type == SHT_RELA;
    size_t bytes = object->is_64 ? (has_addend ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel))
                                 : (has_addend ? sizeof(Elf32_Rela) : sizeof(Elf32_Rel));
    for (uint64_t at = 0; at + bytes <= relocations->bytes; at += bytes) {
        const void *entry = object->data + relocations->offset + at;
        uint64_t symbol = object->is_64 ? ELF64_R_SYM(((const Elf64_Rel *)entry)->r_info)
                                        : ELF32_R_SYM(((const Elf32_Rel *)entry)->r_info);
        uint32_t name;
        keep(object, section_of(object, symbol, &name));
    }
}

// As deep as functions call each other and constants refer to constants.
static void keep(Object *object, size_t number) {
    if (number == object->count || object->sections[number].is_kept) {
        return;
    }
    object->sections[number].is_kept = true;
    for (size_t i = 0; i < object->count; i++) {
        const Section *other = &object->sections[i];
        bool relocates = other->type == SHT_REL || other->type == SHT_RELA;
        if (relocates && other->info == number) {
            keep_relocated(object, other);
        } else if ((other->flags & SHF_LINK_ORDER) != 0 && other->link == number) {
            keep(object, i);
        }
    }
}

static bool keep_symbol(Object *object, const char *root) {
    size_t bytes = object->is_64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
    const char *names = object->data + object->sections[object->symbols->link].offset;
    for (uint64_t i = 1; i < object->symbols->bytes / bytes; i++) {
        uint32_t name;
        size_t section = section_of(object, i, &name);
        if (section < object->count && strcmp(names + name, root) == 0) {
            keep(object, section);
            return true;
        }
    }
    return false;
}

bool kept_bytes(Arena *arena, const char *data, size_t len, const char *const *roots, size_t count,
                KeptBytes *kept) {
    if (len < sizeof(Elf64_Ehdr) || memcmp(data, ELFMAG, SELFMAG) != 0) {
        return false;
    }
    Object object = {.data = data};
    read_sections(arena, &object);
    for (size_t i = 0; i < count; i++) {
        if (object.symbols == NULL || !keep_symbol(&object, roots[i])) {
            return false;
        }
    }
    *kept = (KeptBytes){0};
    for (size_t i = 0; i < object.count; i++) {
        const Section *section = &object.sections[i];
        if (section->is_kept && (section->flags & SHF_ALLOC) != 0) {
            *((section->flags & SHF_EXECINSTR) != 0 ? &kept->code : &kept->constants) +=
                section->bytes;
        }
    }
    return true;
}
