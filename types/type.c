// Interning of types: an open-addressing hash table with linear probing, at most half full. The
// hash of a tensor mixes its base's pointer and its own dims; a type's text is kept beside it.
#include "types/type.h"

#include "support/bug.h"

#include <string.h>

// What a `const Type *` really points at.
typedef struct TypeEntry {
    Type type; // first, so that the pointers convert
    uint64_t hash;
    const char *text; // NULL until someone asks
} TypeEntry;

enum { ROOT_COUNT = ROOT_STR + 1, FIRST_CAPACITY = 64 };

struct TypeTable {
    Arena *arena;
    TypeEntry scalars[ROOT_COUNT];
    TypeEntry no_result;
    TypeEntry poison;
    TypeEntry **slots; // tensors; `capacity` is a power of two
    size_t capacity;
    size_t count;
};

TypeTable *types_create(Arena *arena) {
    TypeTable *types = ARENA_NEW(arena, TypeTable);
    types->arena = arena;
    for (int root = 0; root < ROOT_COUNT; root++) {
        types->scalars[root].type = (Type){.kind = TYPE_SCALAR, .root = (Root)root, .numel = 1};
    }
    types->no_result.type = (Type){.kind = TYPE_VOID, .numel = 1};
    types->poison.type = (Type){.kind = TYPE_POISON, .numel = 1};
    types->capacity = FIRST_CAPACITY;
    types->slots = ARENA_ARRAY(arena, TypeEntry *, types->capacity);
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

static uint64_t mix(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ (hash >> 29);
}

static uint64_t tensor_hash(const Type *base, size_t rank, const uint32_t *dims) {
    uint64_t hash = mix((uintptr_t)base, rank);
    for (size_t i = 0; i < rank; i++) {
        hash = mix(hash, dims[i]);
    }
    return hash;
}

// Where a tensor of that hash stands, or the free slot where it belongs.
static TypeEntry **find_slot(const TypeTable *types, uint64_t hash, const Type *base, size_t rank,
                             const uint32_t *dims) {
    size_t mask = types->capacity - 1;
    for (size_t i = (size_t)hash & mask;; i = (i + 1) & mask) {
        TypeEntry *entry = types->slots[i];
        if (entry == NULL ||
            (entry->hash == hash && entry->type.base == base && entry->type.rank == rank &&
             memcmp(entry->type.dims, dims, rank * sizeof(*dims)) == 0)) {
            return &types->slots[i];
        }
    }
}

static void grow_table(TypeTable *types) {
    TypeEntry **old = types->slots;
    size_t old_capacity = types->capacity;
    types->capacity *= 2;
    types->slots = ARENA_ARRAY(types->arena, TypeEntry *, types->capacity);
    size_t mask = types->capacity - 1;
    for (size_t i = 0; i < old_capacity; i++) {
        if (old[i] == NULL) {
            continue;
        }
        size_t slot = (size_t)old[i]->hash & mask;
        while (types->slots[slot] != NULL) {
            slot = (slot + 1) & mask;
        }
        types->slots[slot] = old[i];
    }
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
    uint64_t hash = tensor_hash(base, rank, dims);
    TypeEntry **slot = find_slot(types, hash, base, rank, dims);
    if (*slot != NULL) {
        return &(*slot)->type;
    }

    size_t flat_rank = rank + base->flat_rank;
    uint32_t *flat_dims = ARENA_ARRAY(types->arena, uint32_t, flat_rank);
    memcpy(flat_dims, dims, rank * sizeof(*dims));
    if (base->flat_rank > 0) {
        memcpy(flat_dims + rank, base->dims, base->flat_rank * sizeof(*dims));
    }
    TypeEntry *entry = ARENA_NEW(types->arena, TypeEntry);
    entry->hash = hash;
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
    *slot = entry;
    types->count++;
    if (2 * types->count > types->capacity) {
        grow_table(types);
    }
    return &entry->type;
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

const Type *type_flat(TypeTable *types, Root root, size_t rank, const uint32_t *dims) {
    if (rank == 0) {
        return type_scalar(types, root);
    }
    // More flat dims than one tensor may have need levels after all.
    size_t own = rank < TYPE_RANK_LIMIT ? rank : TYPE_RANK_LIMIT;
    const Type *base = type_flat(types, root, rank - own, dims + own);
    return base == NULL ? NULL : type_tensor(types, base, own, dims);
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
