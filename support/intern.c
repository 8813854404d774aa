// An open-addressing hash table with linear probing, at most half full. The hash stands beside the
// entry, so a probe reads a name's text only when the hashes agree.
#include "support/intern.h"

#include "support/bug.h"
#include "support/memory.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 1024 };

typedef struct Slot {
    uint32_t hash;
    NameEntry *entry; // NULL when free
} Slot;

struct NameTable {
    Arena *arena;
    Slot *slots;
    uint32_t slot_count; // a power of two
    uint32_t name_count;
};

NameTable *names_create(Arena *arena) {
    NameTable *names = ARENA_NEW(arena, NameTable);
    names->arena = arena;
    names->slots = ARENA_ARRAY(arena, Slot, FIRST_SLOTS);
    names->slot_count = FIRST_SLOTS;
    return names;
}

// FNV-1a.
static uint32_t hash_text(const char *text, size_t len) {
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < len; i++) {
        hash = (hash ^ (unsigned char)text[i]) * 16777619u;
    }
    return hash;
}

// The slot that holds the text, or the free one where it belongs.
static Slot *names_find(const NameTable *names, uint32_t hash, const char *text, size_t len) {
    uint32_t mask = names->slot_count - 1;
    for (uint32_t i = hash & mask;; i = (i + 1) & mask) {
        Slot *slot = &names->slots[i];
        if (slot->entry == NULL) {
            return slot;
        }
        if (slot->hash == hash && slot->entry->len == len &&
            memcmp(slot->entry->text, text, len) == 0) {
            return slot;
        }
    }
}

static void names_grow(NameTable *names) {
    Slot *old = names->slots;
    uint32_t old_count = names->slot_count;
    CHECK(old_count <= UINT32_MAX / 2);
    names->slot_count = 2 * old_count;
    names->slots = ARENA_ARRAY(names->arena, Slot, names->slot_count);
    for (uint32_t i = 0; i < old_count; i++) {
        if (old[i].entry != NULL) {
            *names_find(names, old[i].hash, old[i].entry->text, old[i].entry->len) = old[i];
        }
    }
}

Name names_intern(NameTable *names, const char *text, size_t len) {
    CHECK(len <= UINT32_MAX);
    uint32_t hash = hash_text(text, len);
    Slot *slot = names_find(names, hash, text, len);
    if (slot->entry != NULL) {
        return slot->entry;
    }
    NameEntry *entry = ARENA_NEW(names->arena, NameEntry);
    entry->id = names->name_count++;
    entry->len = (uint32_t)len;
    entry->text = arena_copy_text(names->arena, text, len);
    *slot = (Slot){hash, entry};
    if (names->name_count > names->slot_count / 2) {
        names_grow(names);
    }
    return entry;
}

Name names_intern_text(NameTable *names, const char *text) {
    return names_intern(names, text, strlen(text));
}

uint32_t names_count(const NameTable *names) {
    return names->name_count;
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
