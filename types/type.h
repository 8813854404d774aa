// Types: scalars, and tensors of scalars or of tensors. Interned: equal types are the same pointer.
#ifndef TMLC_TYPES_TYPE_H
#define TMLC_TYPES_TYPE_H

#include "support/arena.h"
#include "support/buffer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// In the order of inference (L2.4): bool < uint < int < real.
typedef enum Root {
    ROOT_BOOL,
    ROOT_UINT,
    ROOT_INT,
    ROOT_REAL,
    ROOT_CHAR,
    ROOT_STR,
} Root;

static inline bool root_is_integer(Root root) {
    return root == ROOT_UINT || root == ROOT_INT;
}

typedef enum TypeKind {
    TYPE_SCALAR,
    TYPE_TENSOR,
    TYPE_VOID,   // no result
    TYPE_POISON, // of an expression that already has an error; every use of it stays silent
} TypeKind;

enum {
    TYPE_RANK_LIMIT = 32,                                 // dims of one tensor (L2.2)
    TYPE_DEPTH_LIMIT = 16,                                // levels (L2.2)
    TYPE_FLAT_LIMIT = TYPE_RANK_LIMIT * TYPE_DEPTH_LIMIT, // dims of all levels
    TYPE_SCALARS_LIMIT = 2147483647,                      // scalars in one tensor (L2.2)
};

typedef struct Type Type;

// The dims of all levels, outermost first, are the *flat* dims: the row-major index space of the
// scalars at the bottom. Storage, views and loops only know flat dims; levels exist for the rules
// of the language. dims[0..rank) are this type's own, dims[rank..flat_rank) are those of `base`.
struct Type {
    TypeKind kind;
    Root root;            // of a scalar: itself
    uint16_t depth;       // 0 for scalars
    uint16_t rank;        // own dims; 0 for scalars
    uint16_t flat_rank;   // own dims and those of all levels below
    uint32_t numel;       // product of the flat dims; 1 for scalars
    const Type *base;     // NULL for scalars
    const uint32_t *dims; // flat_rank of them, each >= 1
};

typedef struct TypeTable TypeTable;

TypeTable *types_create(Arena *arena);
const Type *type_scalar(TypeTable *types, Root root);
const Type *type_void(TypeTable *types);
const Type *type_poison(TypeTable *types);
// tensor<base, dims...>, rank >= 1. NULL when a limit of L2.2 is passed (E0902).
const Type *type_tensor(TypeTable *types, const Type *base, size_t rank, const uint32_t *dims);
// One with these flat dims, in as few levels as they fit in: the scalar when `rank` is 0. NULL when
// there are too many scalars.
const Type *type_flat(TypeTable *types, Root root, size_t rank, const uint32_t *dims);
// The same shape on every level, with another scalar at the bottom.
const Type *type_with_root(TypeTable *types, const Type *type, Root root);

// Whether the flat dims agree, on whatever levels they stand.
bool type_same_dims(const Type *a, const Type *b);

static inline bool type_is_scalar(const Type *type) {
    return type->kind == TYPE_SCALAR;
}
static inline bool type_is_tensor(const Type *type) {
    return type->kind == TYPE_TENSOR;
}
static inline bool type_is_poison(const Type *type) {
    return type->kind == TYPE_POISON;
}
// bool, uint, int or real at the bottom.
static inline bool type_has_value(const Type *type) {
    return type->kind <= TYPE_TENSOR && type->root <= ROOT_REAL;
}
static inline bool type_is_numeric(const Type *type) {
    return type_has_value(type) && type->root != ROOT_BOOL;
}

const char *root_text(Root root);
// As the user writes it: "tensor<real, 2, 3>".
void type_print(Buffer *out, const Type *type);
const char *type_text(Arena *arena, const Type *type);

#endif
