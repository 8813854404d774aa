// A map from names to pointers. Names have dense numbers, so it is an array.
#ifndef TMLC_SUPPORT_NAME_MAP_H
#define TMLC_SUPPORT_NAME_MAP_H

#include "support/arena.h"
#include "support/intern.h"

#include <stddef.h>

// All zero is the empty map.
typedef struct NameMap {
    void **items; // by a name's id
    size_t capacity;
} NameMap;

// NULL when there is none.
void *name_map_get(const NameMap *map, Name name);
void name_map_set(Arena *arena, NameMap *map, Name name, void *value);

#endif
