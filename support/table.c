// Open addressing with linear probing, at most half full. The hash stands beside the key, so that a
// probe looks at what keys point to only where the hashes agree.
#include "support/table.h"

#include <string.h>

enum { FIRST_CAPACITY = 16 };

uint64_t table_mix(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ (hash >> 29);
}

static bool is_same_pointer(const void *key, const void *asked) {
    return key == asked;
}

// The slot of the key, or the free one where it belongs.
static TableSlot *slot_of(const Table *table, uint64_t hash, TableSame *is_same,
                          const void *asked) {
    size_t mask = table->capacity - 1;
    for (size_t at = (size_t)hash & mask;; at = (at + 1) & mask) {
        TableSlot *slot = &table->slots[at];
        if (slot->key == NULL || (slot->hash == hash && is_same(slot->key, asked))) {
            return slot;
        }
    }
}

void *table_find(const Table *table, uint64_t hash, TableSame *is_same, const void *asked) {
    return table->count == 0 ? NULL : slot_of(table, hash, is_same, asked)->value;
}

static void grow(Arena *arena, Table *table) {
    Table old = *table;
    table->capacity = old.capacity == 0 ? FIRST_CAPACITY : 2 * old.capacity;
    table->slots = ARENA_ARRAY(arena, TableSlot, table->capacity);
    for (size_t i = 0; i < old.capacity; i++) {
        const TableSlot *slot = &old.slots[i];
        if (slot->key != NULL) {
            *slot_of(table, slot->hash, is_same_pointer, slot->key) = *slot;
        }
    }
}

void table_add(Arena *arena, Table *table, uint64_t hash, const void *key, void *value) {
    if (2 * (table->count + 1) > table->capacity) {
        grow(arena, table);
    }
    TableSlot *slot = slot_of(table, hash, is_same_pointer, key);
    table->count += slot->key == NULL;
    *slot = (TableSlot){key, value, hash};
}

static uint64_t pointer_hash(const void *key) {
    return table_mix(0, (uintptr_t)key >> 3);
}

void *table_get(const Table *table, const void *key) {
    return table_find(table, pointer_hash(key), is_same_pointer, key);
}

void table_set(Arena *arena, Table *table, const void *key, void *value) {
    table_add(arena, table, pointer_hash(key), key, value);
}

void table_clear(Table *table) {
    if (table->count != 0) {
        memset(table->slots, 0, table->capacity * sizeof(TableSlot));
        table->count = 0;
    }
}
