// See memory.h: scalars to bytes and back, one by one, as runtime/abi/abi.h says they lie, and the
// runtime's description of a type.
#include "eval/memory.h"

#include "support/bug.h"
#include "types/memory.h"

#include <string.h>

tml_type ref_describe(const Type *type, bool single, uint16_t level_ranks[TYPE_DEPTH_LIMIT]) {
    static const tml_root roots[] = {[ROOT_BOOL] = TML_BOOL,
                                     [ROOT_UINT] = TML_UINT,
                                     [ROOT_INT] = TML_INT,
                                     [ROOT_REAL] = TML_REAL};
    const Type *level = type;
    for (size_t i = 0; i < type->depth; i++, level = level->base) {
        level_ranks[i] = level->rank;
    }
    return (tml_type){
        .root = (uint8_t)roots[type->root],
        .real_bytes = single ? 4 : 8,
        .depth = type->depth,
        .flat_rank = type->flat_rank,
        .level_ranks = level_ranks,
        .dims = type->dims,
    };
}

static void scalar_to_memory(const TirScalar *scalar, Root root, bool single, char *memory) {
    float narrow = (float)scalar->real;
    switch (root) {
    case ROOT_BOOL: *memory = (char)scalar->boolean; return;
    case ROOT_UINT:
    case ROOT_INT: memcpy(memory, &scalar->uint, sizeof(scalar->uint)); return;
    case ROOT_REAL:
        memcpy(memory, single ? (const void *)&narrow : (const void *)&scalar->real,
               single ? sizeof(narrow) : sizeof(scalar->real));
        return;
    case ROOT_CHAR:
    case ROOT_STR: break;
    }
    UNREACHABLE();
}

static TirScalar scalar_from_memory(Root root, bool single, const char *memory) {
    TirScalar scalar = {0};
    float narrow = 0;
    switch (root) {
    case ROOT_BOOL: scalar.boolean = *memory != 0; return scalar;
    case ROOT_UINT:
    case ROOT_INT: memcpy(&scalar.uint, memory, sizeof(scalar.uint)); return scalar;
    case ROOT_REAL:
        if (single) {
            memcpy(&narrow, memory, sizeof(narrow));
            scalar.real = (double)narrow;
        } else {
            memcpy(&scalar.real, memory, sizeof(scalar.real));
        }
        return scalar;
    case ROOT_CHAR:
    case ROOT_STR: break;
    }
    UNREACHABLE();
}

void ref_to_memory(const Type *type, bool single, const TirScalar *scalars, void *memory) {
    size_t bytes = root_bytes(type->root, single);
    for (size_t i = 0; i < type->numel; i++) {
        scalar_to_memory(&scalars[i], type->root, single, (char *)memory + i * bytes);
    }
}

void ref_from_memory(const Type *type, bool single, const void *memory, TirScalar *scalars) {
    size_t bytes = root_bytes(type->root, single);
    for (size_t i = 0; i < type->numel; i++) {
        scalars[i] = scalar_from_memory(type->root, single, (const char *)memory + i * bytes);
    }
}
