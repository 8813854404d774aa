#include "tests/random/type.h"

#include <string.h>

FuzzType fuzz_scalar(FuzzRoot root) {
    return (FuzzType){.root = root};
}

FuzzType fuzz_vector(FuzzRoot root, unsigned length) {
    return (FuzzType){.root = root, .depth = 1, .levels = {{1, {length}}}};
}

FuzzType fuzz_matrix(FuzzRoot root, unsigned rows, unsigned cols) {
    return (FuzzType){.root = root, .depth = 1, .levels = {{2, {rows, cols}}}};
}

FuzzType fuzz_with_root(const FuzzType *type, FuzzRoot root) {
    FuzzType result = *type;
    result.root = root;
    return result;
}

FuzzType fuzz_base(const FuzzType *type) {
    FuzzType base = {.root = type->root, .depth = type->depth - 1};
    memcpy(base.levels, type->levels + 1, base.depth * sizeof(FuzzLevel));
    return base;
}

FuzzType fuzz_tensor_of(const FuzzType *base, const FuzzLevel *outer) {
    FuzzType type = {.root = base->root, .depth = base->depth + 1, .levels = {*outer}};
    memcpy(type.levels + 1, base->levels, base->depth * sizeof(FuzzLevel));
    return type;
}

static bool same_level(const FuzzLevel *a, const FuzzLevel *b) {
    return a->rank == b->rank && memcmp(a->dims, b->dims, a->rank * sizeof(a->dims[0])) == 0;
}

bool fuzz_same_shape(const FuzzType *a, const FuzzType *b) {
    for (unsigned i = 0; a->depth == b->depth && i < a->depth; i++) {
        if (!same_level(&a->levels[i], &b->levels[i])) {
            return false;
        }
    }
    return a->depth == b->depth;
}

bool fuzz_equal(const FuzzType *a, const FuzzType *b) {
    return a->root == b->root && fuzz_same_shape(a, b);
}

bool fuzz_fits(const FuzzType *from, const FuzzType *to) {
    if (from->depth > to->depth) {
        return false;
    }
    for (unsigned i = 0; i < from->depth; i++) {
        const FuzzLevel *level = &from->levels[i];
        const FuzzLevel *target = &to->levels[i];
        if (level->rank > target->rank) {
            return false;
        }
        for (unsigned k = 0; k < level->rank; k++) {
            unsigned dim = level->dims[k];
            if (dim != 1 && dim != target->dims[target->rank - level->rank + k]) {
                return false;
            }
        }
    }
    return true;
}

bool fuzz_is_size(unsigned dim) {
    return dim >= FUZZ_SIZE_N;
}

bool fuzz_is_concrete(const FuzzType *type) {
    for (unsigned i = 0; i < type->depth; i++) {
        for (unsigned k = 0; k < type->levels[i].rank; k++) {
            if (fuzz_is_size(type->levels[i].dims[k])) {
                return false;
            }
        }
    }
    return true;
}

unsigned fuzz_level_numel(const FuzzLevel *level) {
    unsigned numel = 1;
    for (unsigned k = 0; k < level->rank; k++) {
        numel *= fuzz_is_size(level->dims[k]) ? 4 : level->dims[k];
    }
    return numel;
}

unsigned fuzz_numel(const FuzzType *type) {
    unsigned numel = 1;
    for (unsigned i = 0; i < type->depth; i++) {
        numel *= fuzz_level_numel(&type->levels[i]);
    }
    return numel;
}

void fuzz_dim_text(unsigned dim, Buffer *out) {
    if (fuzz_is_size(dim)) {
        buffer_text(out, dim == FUZZ_SIZE_N ? "n" : "m");
    } else {
        buffer_format(out, "%u", dim);
    }
}

void fuzz_type_text(const FuzzType *type, Buffer *out) {
    static const char *const roots[] = {"bool", "uint", "int", "real"};
    for (unsigned i = 0; i < type->depth; i++) {
        buffer_text(out, "tensor<");
    }
    buffer_text(out, roots[type->root]);
    for (unsigned i = type->depth; i-- > 0;) {
        for (unsigned k = 0; k < type->levels[i].rank; k++) {
            buffer_text(out, ", ");
            fuzz_dim_text(type->levels[i].dims[k], out);
        }
        buffer_text(out, ">");
    }
}
