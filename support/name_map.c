#include "support/name_map.h"

void *name_map_get(const NameMap *map, Name name) {
    return name->id < map->capacity ? map->items[name->id] : NULL;
}

void name_map_set(Arena *arena, NameMap *map, Name name, void *value) {
    if (name->id >= map->capacity) {
        size_t capacity = 2 * ((size_t)name->id + 1);
        map->items = arena_grow(arena, map->items, map->capacity, capacity, sizeof(*map->items));
        map->capacity = capacity;
    }
    map->items[name->id] = value;
}
