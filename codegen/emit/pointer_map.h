// A map from pointers to pointers, for facts about TIR nodes that TIR itself does not carry.
#ifndef TMLC_CODEGEN_EMIT_POINTER_MAP_H
#define TMLC_CODEGEN_EMIT_POINTER_MAP_H

#include "support/arena.h"

#include <stddef.h>

typedef struct PointerEntry {
    const void *key;
    void *value;
} PointerEntry;

// All zero is the empty map.
typedef struct PointerMap {
    PointerEntry *entries;
    size_t count;
    size_t capacity; // a power of two, or 0
} PointerMap;

// NULL when there is none.
void *pointer_map_get(const PointerMap *map, const void *key);
// Replaces an older value of `key`, which is not NULL.
void pointer_map_set(Arena *arena, PointerMap *map, const void *key, void *value);
// Forgets every entry and keeps the room.
void pointer_map_clear(PointerMap *map);

#endif
