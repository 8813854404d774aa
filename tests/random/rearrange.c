// Built-ins that place, make and rearrange (L11).
#include "tests/random/generator.h"

#include <string.h>

static void insert_dim(FuzzLevel *level, unsigned at, unsigned dim) {
    memmove(level->dims + at + 1, level->dims + at, (level->rank - at) * sizeof(level->dims[0]));
    level->dims[at] = dim;
    level->rank++;
}

// name(argument, numbers...)
static void call_with_numbers(Fuzz *fuzz, const char *name, const FuzzType *argument,
                              const unsigned *numbers, unsigned count, int fuel) {
    buffer_format(fuzz->out, "%s(", name);
    fuzz_argument(fuzz, argument, fuel - 1);
    for (unsigned i = 0; i < count; i++) {
        fuzz_text(fuzz, ", ");
        fuzz_constant_dim(fuzz, numbers[i]);
    }
    fuzz_text(fuzz, ")");
}

bool fuzz_narrow(Fuzz *fuzz, const FuzzType *type, int fuel, FuzzPrecedence least) {
    (void)least;
    FuzzType operand = *type;
    if (!fuzz_is_concrete(type)) {
        return false;
    }
    for (unsigned k = 0; type->depth > 0 && k < type->levels[0].rank; k++) {
        if (type->levels[0].dims[k] == 1) {
            return false;
        }
    }
    // A tensor keeps its outer dims, but all of length 1 vanish and leave the base.
    bool adds_level = type->depth == 0 || fuzz_percent(fuzz, 20);
    if (adds_level && type->depth == FUZZ_DEPTH) {
        return false;
    }
    if (adds_level) {
        FuzzLevel ones = {1 + fuzz_below(fuzz, 2), {1, 1}};
        operand = fuzz_tensor_of(type, &ones);
    } else {
        for (unsigned more = fuzz_below(fuzz, 3); more > 0 && operand.levels[0].rank < FUZZ_RANK;
             more--) {
            insert_dim(&operand.levels[0], fuzz_below(fuzz, operand.levels[0].rank + 1), 1);
        }
    }
    call_with_numbers(fuzz, "narrow", &operand, NULL, 0, fuel);
    return true;
}

bool fuzz_reshape(Fuzz *fuzz, const FuzzType *type, int fuel, FuzzPrecedence least) {
    (void)least;
    if (type->depth == 0 || !fuzz_is_concrete(type)) {
        return false;
    }
    FuzzType operand = *type;
    FuzzLevel *level = &operand.levels[0];
    unsigned left = fuzz_level_numel(level);
    unsigned rank = 1 + fuzz_below(fuzz, FUZZ_RANK);
    *level = (FuzzLevel){0};
    while (level->rank + 1 < rank) {
        unsigned dim = 1 + fuzz_below(fuzz, left);
        while (left % dim != 0) {
            dim--;
        }
        level->dims[level->rank++] = dim;
        left /= dim;
    }
    level->dims[level->rank++] = left;
    call_with_numbers(fuzz, "reshape", &operand, type->levels[0].dims, type->levels[0].rank, fuel);
    return true;
}

bool fuzz_permute(Fuzz *fuzz, const FuzzType *type, int fuel, FuzzPrecedence least) {
    (void)least;
    if (type->depth == 0) {
        return false;
    }
    unsigned order[FUZZ_RANK] = {0, 1, 2, 3};
    FuzzType operand = *type;
    unsigned rank = type->levels[0].rank;
    for (unsigned i = rank; i-- > 1;) {
        unsigned k = fuzz_below(fuzz, i + 1);
        unsigned saved = order[i];
        order[i] = order[k];
        order[k] = saved;
    }
    for (unsigned i = 0; i < rank; i++) {
        operand.levels[0].dims[order[i]] = type->levels[0].dims[i];
    }
    call_with_numbers(fuzz, "permute", &operand, order, rank, fuel);
    return true;
}

bool fuzz_concat(Fuzz *fuzz, const FuzzType *type, int fuel, FuzzPrecedence least) {
    (void)least;
    if (type->depth == 0) {
        return false;
    }
    unsigned axis = fuzz_below(fuzz, type->levels[0].rank);
    unsigned left = type->levels[0].dims[axis];
    if (fuzz_is_size(left) || left == 1) {
        return false;
    }
    buffer_format(fuzz->out, "concat(%u", axis);
    bool is_first = true;
    while (left > 0) {
        FuzzType part = *type;
        unsigned length = is_first ? 1 + fuzz_below(fuzz, left - 1) : 1 + fuzz_below(fuzz, left);
        part.levels[0].dims[axis] = length;
        if (!is_first && fuzz_percent(fuzz, 20)) {
            part.root = (FuzzRoot)fuzz_below(fuzz, type->root + 1u);
        }
        fuzz_text(fuzz, ", ");
        fuzz_argument(fuzz, &part, fuel - 1);
        left -= length;
        is_first = false;
    }
    fuzz_text(fuzz, ")");
    return true;
}

bool fuzz_nest(Fuzz *fuzz, const FuzzType *type, int fuel, FuzzPrecedence least) {
    (void)least;
    if (type->depth < 2 || type->levels[0].rank + type->levels[1].rank > FUZZ_RANK) {
        return false;
    }
    FuzzType operand = fuzz_base(type);
    unsigned moved = operand.levels[0].rank;
    for (unsigned k = 0; k < type->levels[0].rank; k++) {
        insert_dim(&operand.levels[0], k, type->levels[0].dims[k]);
    }
    call_with_numbers(fuzz, "nest", &operand, &moved, 1, fuel);
    return true;
}

bool fuzz_unnest(Fuzz *fuzz, const FuzzType *type, int fuel, FuzzPrecedence least) {
    (void)least;
    if (type->depth == 0 || type->depth == FUZZ_DEPTH || type->levels[0].rank < 2) {
        return false;
    }
    const FuzzLevel *level = &type->levels[0];
    FuzzLevel outer = {1 + fuzz_below(fuzz, level->rank - 1), {0}};
    memcpy(outer.dims, level->dims, outer.rank * sizeof(outer.dims[0]));
    FuzzType inner = *type;
    inner.levels[0].rank = level->rank - outer.rank;
    memcpy(inner.levels[0].dims, level->dims + outer.rank,
           inner.levels[0].rank * sizeof(outer.dims[0]));
    FuzzType operand = fuzz_tensor_of(&inner, &outer);
    call_with_numbers(fuzz, "unnest", &operand, NULL, 0, fuel);
    return true;
}

static void list_of_numbers(Fuzz *fuzz, const unsigned *numbers, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        fuzz_text(fuzz, i > 0 ? ", " : "[");
        fuzz_constant_dim(fuzz, numbers[i]);
    }
    fuzz_text(fuzz, "]");
}

// broadcast_in_dim, and align where all the other dims are 1.
bool fuzz_placement(Fuzz *fuzz, const FuzzType *type, int fuel, FuzzPrecedence least) {
    (void)least;
    if (type->depth == 0) {
        return false;
    }
    const FuzzLevel *level = &type->levels[0];
    FuzzType operand = *type;
    FuzzLevel *kept = &operand.levels[0];
    unsigned dims[FUZZ_RANK];
    bool is_align = true;
    kept->rank = 0;
    for (unsigned k = 0; k < level->rank; k++) {
        bool stretched = fuzz_percent(fuzz, 15) && level->dims[k] != 1;
        if (kept->rank + level->rank - k > 1 && fuzz_percent(fuzz, 40)) {
            is_align = is_align && level->dims[k] == 1;
        } else {
            is_align = is_align && !stretched;
            dims[kept->rank] = k;
            kept->dims[kept->rank++] = stretched ? 1 : level->dims[k];
        }
    }
    if (kept->rank == 0) {
        return false;
    }
    fuzz_text(fuzz, is_align ? "align(" : "broadcast_in_dim(");
    fuzz_argument(fuzz, &operand, fuel - 1);
    fuzz_text(fuzz, ", ");
    if (is_align) {
        buffer_format(fuzz->out, "%u", level->rank);
    } else {
        list_of_numbers(fuzz, level->dims, level->rank);
    }
    fuzz_text(fuzz, ", ");
    list_of_numbers(fuzz, dims, kept->rank);
    fuzz_text(fuzz, ")");
    return true;
}

bool fuzz_maker(Fuzz *fuzz, const FuzzType *type, int fuel, FuzzPrecedence least) {
    (void)least;
    if (type->depth != 1 || type->levels[0].rank > 2) {
        return false;
    }
    const FuzzLevel *level = &type->levels[0];
    unsigned dim = level->dims[0];
    if (level->rank == 2 && type->root == FUZZ_REAL && level->dims[1] == dim) {
        fuzz_text(fuzz, "eye(");
    } else if (level->rank == 1 && type->root == FUZZ_INT) {
        fuzz_text(fuzz, "iota(");
    } else if (level->rank == 1 && type->root == FUZZ_REAL && dim > 1 && !fuzz_is_size(dim)) {
        FuzzType scalar = fuzz_scalar(FUZZ_REAL);
        fuzz_text(fuzz, "linspace(");
        fuzz_argument(fuzz, &scalar, fuel - 1);
        fuzz_text(fuzz, ", ");
        fuzz_argument(fuzz, &scalar, fuel - 1);
        fuzz_text(fuzz, ", ");
    } else {
        return false;
    }
    fuzz_constant_dim(fuzz, dim);
    fuzz_text(fuzz, ")");
    return true;
}

// diag, outer, cross, trace, norm.
bool fuzz_matrix_shape(Fuzz *fuzz, const FuzzType *type, int fuel, FuzzPrecedence least) {
    (void)least;
    if (type->depth > 1 || type->root == FUZZ_BOOL || fuzz->out->len > 8000) {
        return false;
    }
    unsigned rank = type->depth == 0 ? 0 : type->levels[0].rank;
    const unsigned *dims = type->levels[0].dims;
    FuzzType first = fuzz_vector(type->root, rank > 0 ? dims[0] : fuzz_random_dim(fuzz));
    FuzzType second = fuzz_vector(type->root, rank == 2 ? dims[1] : 3);
    if (rank == 0) {
        bool is_norm = type->root == FUZZ_REAL && fuzz_percent(fuzz, 50);
        first = is_norm ? first : fuzz_matrix(type->root, 3, 3);
        fuzz_text(fuzz, is_norm ? "norm(" : "trace(");
        fuzz_term(fuzz, &first, type->root, fuel - 1);
    } else if (rank == 1 && dims[0] == 3 && fuzz_percent(fuzz, 50)) {
        fuzz_text(fuzz, "cross(");
        fuzz_term(fuzz, &first, type->root, fuel - 1);
        fuzz_text(fuzz, ", ");
        fuzz_term(fuzz, &second, type->root, fuel - 1);
    } else if (rank == 1 || (rank == 2 && dims[0] == dims[1] && fuzz_percent(fuzz, 50))) {
        FuzzType square = fuzz_matrix(type->root, dims[0], dims[0]);
        fuzz_text(fuzz, "diag(");
        fuzz_argument(fuzz, rank == 1 ? &square : &first, fuel - 1);
    } else if (rank == 2) {
        fuzz_text(fuzz, "outer(");
        fuzz_argument(fuzz, &first, fuel - 1);
        fuzz_text(fuzz, ", ");
        fuzz_argument(fuzz, &second, fuel - 1);
    } else {
        return false;
    }
    fuzz_text(fuzz, ")");
    return true;
}

static bool any_var(const FuzzVar *var, const FuzzType *type) {
    (void)var;
    (void)type;
    return true;
}

static bool has_as_many_dims(const FuzzVar *var, const FuzzType *type) {
    return var->type.depth > 0 && var->type.levels[0].rank == type->levels[0].dims[0];
}

bool fuzz_attribute(Fuzz *fuzz, const FuzzType *type, int fuel, FuzzPrecedence least) {
    (void)fuel;
    (void)least;
    static const char *const names[] = {"len", "numel", "rows", "cols"};
    if (type->root != FUZZ_UINT) {
        return false;
    }
    if (type->depth == 1 && type->levels[0].rank == 1) {
        const FuzzVar *var = fuzz_find_var(fuzz, has_as_many_dims, type);
        if (var) {
            buffer_format(fuzz->out, "%s.size", var->name);
        }
        return var != NULL;
    }
    const FuzzVar *var = type->depth == 0 ? fuzz_find_var(fuzz, any_var, NULL) : NULL;
    if (!var) {
        return false;
    }
    unsigned rank = var->type.depth > 0 ? var->type.levels[0].rank : 0;
    buffer_format(fuzz->out, "%s.%s", var->name,
                  names[fuzz_below(fuzz, rank > 1   ? 4
                                         : rank > 0 ? 3
                                                    : 2)]);
    return true;
}
