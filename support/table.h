// The hash table: from keys to values, both pointers. All zero is the empty table.
#ifndef TMLC_SUPPORT_TABLE_H
#define TMLC_SUPPORT_TABLE_H

#include "support/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct TableSlot {
    const void *key; // NULL when free
    void *value;
    uint64_t hash;
} TableSlot;

typedef struct Table {
    TableSlot *slots;
    size_t count;
    size_t capacity; // a power of two, or 0
} Table;

// Keys that are equal when their pointers are. NULL when the table has none; a new value takes the
// place of an older one.
void *table_get(const Table *table, const void *key);
void table_set(Arena *arena, Table *table, const void *key, void *value);

// Other keys: `is_same` compares one of the table with the one that is asked for, where the hashes
// agree. table_add is for a key that the table does not have.
typedef bool TableSame(const void *key, const void *asked);
void *table_find(const Table *table, uint64_t hash, TableSame *is_same, const void *asked);
void table_add(Arena *arena, Table *table, uint64_t hash, const void *key, void *value);

// Forgets everything and keeps the room.
void table_clear(Table *table);
// A hash of `hash` and one value more; the first time, of any number.
uint64_t table_mix(uint64_t hash, uint64_t value);

#endif
