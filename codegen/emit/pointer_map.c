// Open addressing with linear probing; at most half of the slots are used.
#include "codegen/emit/pointer_map.h"

#include <stdint.h>
#include <string.h>

enum { POINTER_MAP_FIRST = 16 };

// The slot of `key`, or the empty one where it belongs.
static PointerEntry *slot_of(const PointerMap *map, const void *key) {
    uint64_t hash = (uint64_t)(uintptr_t)key * UINT64_C(0x9E3779B97F4A7C15);
    size_t mask = map->capacity - 1;
    size_t at = (size_t)(hash >> 32) & mask;
    while (map->entries[at].key != NULL && map->entries[at].key != key) {
        at = (at + 1) & mask;
    }
    return &map->entries[at];
}

void *pointer_map_get(const PointerMap *map, const void *key) {
    return map->count == 0 ? NULL : slot_of(map, key)->value;
}

static void grow(Arena *arena, PointerMap *map) {
    PointerMap old = *map;
    map->capacity = old.capacity == 0 ? POINTER_MAP_FIRST : 2 * old.capacity;
    map->entries = ARENA_ARRAY(arena, PointerEntry, map->capacity);
    for (size_t i = 0; i < old.capacity; i++) {
        if (old.entries[i].key != NULL) {
            *slot_of(map, old.entries[i].key) = old.entries[i];
        }
    }
}

void pointer_map_set(Arena *arena, PointerMap *map, const void *key, void *value) {
    if (2 * (map->count + 1) > map->capacity) {
        grow(arena, map);
    }
    PointerEntry *entry = slot_of(map, key);
    map->count += entry->key == NULL;
    *entry = (PointerEntry){key, value};
}

void pointer_map_clear(PointerMap *map) {
    if (map->count != 0) {
        memset(map->entries, 0, map->capacity * sizeof(PointerEntry));
        map->count = 0;
    }
}
