#include "support/intern.h"

#include "support/bug.h"
#include "support/memory.h"
#include "support/table.h"

#include <stdlib.h>
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

// FNV-1a.
static uint64_t hash_text(Slice text) {
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < text.len; i++) {
        hash = (hash ^ (unsigned char)text.data[i]) * UINT64_C(1099511628211);
    }
    return hash;
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

uint32_t names_count(const NameTable *names) {
    return (uint32_t)names->entries.count;
}

static unsigned min_unsigned(unsigned a, unsigned b) {
    return a < b ? a : b;
}

// One row of the Levenshtein matrix at a time, and of each row only the cells within `limit` of the
// diagonal: the others are beyond the limit in any case.
unsigned text_distance(Slice a, Slice b, unsigned limit) {
    unsigned beyond = limit + 1;
    size_t gap = a.len > b.len ? a.len - b.len : b.len - a.len;
    if (gap > limit) {
        return beyond;
    }
    unsigned *row = memory_resize(NULL, memory_product(b.len + 1, sizeof(unsigned)));
    for (size_t j = 0; j <= b.len; j++) {
        row[j] = j < beyond ? (unsigned)j : beyond;
    }
    for (size_t i = 1; i <= a.len; i++) {
        size_t first = i > limit ? i - limit : 1;
        size_t last = i + limit < b.len ? i + limit : b.len;
        unsigned diagonal = row[first - 1];
        row[first - 1] = first == 1 && i < beyond ? (unsigned)i : beyond;
        for (size_t j = first; j <= last; j++) {
            unsigned above = row[j];
            unsigned changed = diagonal + (a.data[i - 1] != b.data[j - 1]);
            unsigned moved = min_unsigned(above, row[j - 1]) + 1;
            row[j] = min_unsigned(beyond, min_unsigned(changed, moved));
            diagonal = above;
        }
    }
    unsigned distance = row[b.len];
    free(row);
    return distance;
}
