// Interning of types. The hash of a tensor mixes its base's pointer and its own dims; a type's text
// is kept beside it.
#include "types/type.h"

#include "support/bug.h"
#include "support/table.h"

#include <string.h>

// What a `const Type *` really points at.
typedef struct TypeEntry {
    Type type;        // first, so that the pointers convert
    const char *text; // NULL until someone asks
} TypeEntry;

enum { ROOT_COUNT = ROOT_STR + 1 };

struct TypeTable {
    Arena *arena;
    TypeEntry scalars[ROOT_COUNT];
    TypeEntry no_result;
    TypeEntry poison;
    Table tensors;
};

TypeTable *types_create(Arena *arena) {
    TypeTable *types = ARENA_NEW(arena, TypeTable);
    types->arena = arena;
    for (int root = 0; root < ROOT_COUNT; root++) {
        types->scalars[root].type = (Type){.kind = TYPE_SCALAR, .root = (Root)root, .numel = 1};
    }
    types->no_result.type = (Type){.kind = TYPE_VOID, .numel = 1};
    types->poison.type = (Type){.kind = TYPE_POISON, .numel = 1};
    return types;
}

const Type *type_scalar(TypeTable *types, Root root) {
    return &types->scalars[root].type;
}

const Type *type_void(TypeTable *types) {
    return &types->no_result.type;
}

const Type *type_poison(TypeTable *types) {
    return &types->poison.type;
}

// What makes a tensor type.
typedef struct Tensor {
    const Type *base;
    size_t rank;
    const uint32_t *dims;
} Tensor;

static uint64_t tensor_hash(const Tensor *tensor) {
    uint64_t hash = table_mix((uintptr_t)tensor->base, tensor->rank);
    for (size_t i = 0; i < tensor->rank; i++) {
        hash = table_mix(hash, tensor->dims[i]);
    }
    return hash;
}

static bool is_tensor(const void *key, const void *asked) {
    const Type *type = key;
    const Tensor *tensor = asked;
    return type->base == tensor->base && type->rank == tensor->rank &&
           memcmp(type->dims, tensor->dims, tensor->rank * sizeof(*tensor->dims)) == 0;
}

const Type *type_tensor(TypeTable *types, const Type *base, size_t rank, const uint32_t *dims) {
    CHECK(rank >= 1 && base->kind <= TYPE_TENSOR);
    if (rank > TYPE_RANK_LIMIT || base->depth >= TYPE_DEPTH_LIMIT) {
        return NULL;
    }
    uint64_t numel = base->numel;
    for (size_t i = 0; i < rank; i++) {
        CHECK(dims[i] >= 1);
        numel *= dims[i]; // both are below 2^32
        if (numel > TYPE_SCALARS_LIMIT) {
            return NULL;
        }
    }
    Tensor tensor = {base, rank, dims};
    uint64_t hash = tensor_hash(&tensor);
    const Type *known = table_find(&types->tensors, hash, is_tensor, &tensor);
    if (known != NULL) {
        return known;
    }

    size_t flat_rank = rank + base->flat_rank;
    uint32_t *flat_dims = ARENA_ARRAY(types->arena, uint32_t, flat_rank);
    memcpy(flat_dims, dims, rank * sizeof(*dims));
    if (base->flat_rank > 0) {
        memcpy(flat_dims + rank, base->dims, base->flat_rank * sizeof(*dims));
    }
    TypeEntry *entry = ARENA_NEW(types->arena, TypeEntry);
    entry->type = (Type){
        .kind = TYPE_TENSOR,
        .root = base->root,
        .depth = (uint16_t)(base->depth + 1),
        .rank = (uint16_t)rank,
        .flat_rank = (uint16_t)flat_rank,
        .numel = (uint32_t)numel,
        .base = base,
        .dims = flat_dims,
    };
    table_add(types->arena, &types->tensors, hash, &entry->type, &entry->type);
    return &entry->type;
}

const Type *type_flat(TypeTable *types, Root root, size_t rank, const uint32_t *dims) {
    if (rank == 0) {
        return type_scalar(types, root);
    }
    // More flat dims than one tensor may have need levels after all.
    size_t own = rank < TYPE_RANK_LIMIT ? rank : TYPE_RANK_LIMIT;
    const Type *base = type_flat(types, root, rank - own, dims + own);
    return base == NULL ? NULL : type_tensor(types, base, own, dims);
}

const Type *type_with_root(TypeTable *types, const Type *type, Root root) {
    if (type->root == root || type->kind > TYPE_TENSOR) {
        return type;
    }
    if (type_is_scalar(type)) {
        return type_scalar(types, root);
    }
    const Type *base = type_with_root(types, type->base, root);
    return type_tensor(types, base, type->rank, type->dims);
}

bool type_same_dims(const Type *a, const Type *b) {
    return a == b ||
           (a->flat_rank == b->flat_rank && a->numel == b->numel &&
            (a->flat_rank == 0 || memcmp(a->dims, b->dims, a->flat_rank * sizeof(*a->dims)) == 0));
}

const char *root_text(Root root) {
    switch (root) {
    case ROOT_BOOL: return "bool";
    case ROOT_UINT: return "uint";
    case ROOT_INT: return "int";
    case ROOT_REAL: return "real";
    case ROOT_CHAR: return "char";
    case ROOT_STR: return "str";
    }
    UNREACHABLE();
}

static void print_tensor(Buffer *out, const Type *type) {
    buffer_text(out, "tensor<");
    type_print(out, type->base);
    for (size_t i = 0; i < type->rank; i++) {
        buffer_format(out, ", %u", (unsigned)type->dims[i]);
    }
    buffer_text(out, ">");
}

void type_print(Buffer *out, const Type *type) {
    switch (type->kind) {
    case TYPE_SCALAR: buffer_text(out, root_text(type->root)); return;
    case TYPE_TENSOR: print_tensor(out, type); return;
    case TYPE_VOID: buffer_text(out, "nothing"); return;
    case TYPE_POISON: buffer_text(out, "?"); return;
    }
    UNREACHABLE();
}

const char *type_text(Arena *arena, const Type *type) {
    // Every type lies in an entry of a table that is not const; only its text changes here.
    TypeEntry *entry = (TypeEntry *)(uintptr_t)type;
    if (entry->text == NULL) {
        Buffer text = {0};
        type_print(&text, type);
        entry->text = arena_copy_text(arena, text.data, text.len);
        buffer_free(&text);
    }
    return entry->text;
}
