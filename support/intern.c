#include "support/intern.h"

#include "support/bug.h"
#include "support/hash.h"
#include "support/table.h"

#include <ctype.h>
#include <string.h>

struct NameTable {
    Arena *arena;
    Table entries; // by text
};

NameTable *names_create(Arena *arena) {
    NameTable *names = ARENA_NEW(arena, NameTable);
    names->arena = arena;
    return names;
}

static uint64_t hash_text(Slice text) {
    return hash_bytes(HASH_OF_NOTHING, text.data, text.len);
}

static bool has_text(const void *key, const void *asked) {
    const NameEntry *entry = key;
    const Slice *text = asked;
    return entry->len == text->len && memcmp(entry->text, text->data, text->len) == 0;
}

Name names_intern(NameTable *names, const char *data, size_t len) {
    CHECK(len <= UINT32_MAX);
    Slice text = {data, len};
    uint64_t hash = hash_text(text);
    NameEntry *entry = table_find(&names->entries, hash, has_text, &text);
    if (entry == NULL) {
        entry = ARENA_NEW(names->arena, NameEntry);
        entry->id = (uint32_t)names->entries.count;
        entry->len = (uint32_t)len;
        entry->text = arena_copy_text(names->arena, data, len);
        table_add(names->arena, &names->entries, hash, entry, entry);
    }
    return entry;
}

Name names_intern_text(NameTable *names, const char *text) {
    return names_intern(names, text, strlen(text));
}

bool text_begins_with(const char *text, const char *start) {
    return strncmp(text, start, strlen(start)) == 0;
}

Slice slice_trim(Slice text) {
    while (text.len > 0 && isspace((unsigned char)text.data[0])) {
        text = (Slice){text.data + 1, text.len - 1};
    }
    while (text.len > 0 && isspace((unsigned char)text.data[text.len - 1])) {
        text.len--;
    }
    return text;
}
