// Expressions: leaves, literals, casts, calls, and the choice among all ways to make one.
#include "tests/random/generator.h"

#include <string.h>

bool fuzz_open(Fuzz *fuzz, FuzzPrecedence precedence, FuzzPrecedence least) {
    bool is_open = precedence < least || fuzz_percent(fuzz, 6) ||
                   (precedence == PREC_BIT_OR && fuzz->literal_depth > 0);
    if (is_open) {
        fuzz_text(fuzz, "(");
    }
    return is_open;
}

void fuzz_close(Fuzz *fuzz, bool is_open) {
    if (is_open) {
        fuzz_text(fuzz, ")");
    }
}

void fuzz_argument(Fuzz *fuzz, const FuzzType *type, int fuel) {
    fuzz_expr(fuzz, type, fuel, PREC_ANY);
}

// Literals (L2.3).

static void separator(Fuzz *fuzz, const FuzzLevel *level, unsigned element) {
    unsigned cols = level->dims[level->rank - 1];
    unsigned rows = level->rank > 1 ? level->dims[level->rank - 2] : 1;
    if (element % cols != 0) {
        fuzz_text(fuzz, ", ");
    } else if (element / cols % rows != 0) {
        fuzz_text(fuzz, "; ");
    } else {
        fuzz_text(fuzz, " | ");
    }
}

static bool literal(Fuzz *fuzz, const FuzzType *type, int fuel) {
    const FuzzLevel *level = &type->levels[0];
    unsigned count = type->depth > 0 ? fuzz_level_numel(level) : 0;
    if (count == 0 || !fuzz_is_concrete(type) || level->rank > 3 ||
        fuzz_numel(type) > (fuzz->is_deep ? 36 : 12)) {
        return false;
    }
    FuzzType element = fuzz_base(type);
    unsigned greatest = fuzz_below(fuzz, count); // this one has the root that the literal gets
    bool has_lesser = fuzz_percent(fuzz, 30);
    fuzz->literal_depth++;
    fuzz_text(fuzz, "[");
    for (unsigned i = 0; i < count; i++) {
        if (i > 0) {
            separator(fuzz, level, i);
        }
        unsigned lower = has_lesser && i != greatest ? fuzz_below(fuzz, type->root + 1u) : 0;
        FuzzType own = fuzz_with_root(&element, (FuzzRoot)(type->root - lower));
        fuzz_expr(fuzz, &own, count > 4 ? 0 : fuel - 2, PREC_ANY);
    }
    bool is_row = level->rank == 2 && level->dims[0] == 1;
    bool is_page = level->rank == 3 && level->dims[0] == 1;
    fuzz_text(fuzz, is_row ? ";]" : is_page ? " |]" : "]");
    fuzz->literal_depth--;
    return true;
}

static bool make_literal(Fuzz *fuzz, const FuzzType *type, int fuel, FuzzPrecedence least) {
    (void)least;
    return literal(fuzz, type, fuel);
}

// Leaves.

bool fuzz_has_type(const FuzzVar *var, const FuzzType *type) {
    return fuzz_equal(&var->type, type);
}

static bool has_shape(const FuzzVar *var, const FuzzType *type) {
    return fuzz_fits(&var->type, type) && (type->depth == 0 || var->type.depth > 0);
}

static bool var_leaf(Fuzz *fuzz, const FuzzType *type) {
    const FuzzVar *var = fuzz_find_var(fuzz, fuzz_has_type, type);
    if (var) {
        fuzz_text(fuzz, var->name);
    }
    return var != NULL;
}

static void cast_type(Fuzz *fuzz, const FuzzType *type) {
    const FuzzVar *var = fuzz_percent(fuzz, 25) ? fuzz_find_var(fuzz, fuzz_has_type, type) : NULL;
    if (var) {
        buffer_format(fuzz->out, "%s.type", var->name);
    } else {
        fuzz_write_type(fuzz, type);
    }
}

// The type of a cast of a value that has the shape of `type`: of each scalar, or of the whole.
static void same_shape_type(Fuzz *fuzz, const FuzzType *type) {
    FuzzType scalar = fuzz_scalar(type->root);
    cast_type(fuzz, fuzz_percent(fuzz, 30) ? &scalar : type);
}

// A tensor whose elements differ, on its outermost level.
static void counted_tensor(Fuzz *fuzz, const FuzzType *type) {
    const FuzzLevel *level = &type->levels[0];
    cast_type(fuzz, type);
    if (level->rank == 1) {
        fuzz_text(fuzz, "(iota(");
        fuzz_dim_text(level->dims[0], fuzz->out);
        fuzz_text(fuzz, ")");
    } else {
        buffer_format(fuzz->out, "(reshape(iota(%u)", fuzz_level_numel(level));
        for (unsigned k = 0; k < level->rank; k++) {
            buffer_format(fuzz->out, ", %u", level->dims[k]);
        }
        fuzz_text(fuzz, ")");
    }
    if (type->root == FUZZ_BOOL || fuzz_percent(fuzz, 60)) {
        buffer_format(fuzz->out, " * %u %% %u", 3 + fuzz_below(fuzz, 5),
                      type->root == FUZZ_BOOL ? 2 : 7 + fuzz_below(fuzz, 9));
    }
    fuzz_text(fuzz, ")");
}

void fuzz_leaf(Fuzz *fuzz, const FuzzType *type, FuzzPrecedence least) {
    if (fuzz_percent(fuzz, 75) && var_leaf(fuzz, type)) {
        return;
    }
    if (fuzz_percent(fuzz, 40) && literal(fuzz, type, 0)) {
        return;
    }
    const FuzzVar *var = fuzz_percent(fuzz, 50) ? fuzz_find_var(fuzz, has_shape, type) : NULL;
    if (var) {
        if (fuzz_same_shape(&var->type, type)) {
            same_shape_type(fuzz, type);
        } else {
            cast_type(fuzz, type);
        }
        buffer_format(fuzz->out, "(%s)", var->name);
    } else if (type->depth == 0) {
        fuzz_scalar_literal(fuzz, type->root, least);
    } else if ((fuzz_is_concrete(type) || type->levels[0].rank == 1) && fuzz_percent(fuzz, 60)) {
        counted_tensor(fuzz, type);
    } else {
        cast_type(fuzz, type);
        fuzz_text(fuzz, "(");
        FuzzType scalar = fuzz_scalar(fuzz_random_root(fuzz));
        fuzz_leaf(fuzz, &scalar, PREC_ANY);
        fuzz_text(fuzz, ")");
    }
}

static bool make_leaf(Fuzz *fuzz, const FuzzType *type, int fuel, FuzzPrecedence least) {
    (void)fuel;
    fuzz_leaf(fuzz, type, least);
    return true;
}

// Casts (L2.9) and what may be assigned (L6.1).

// A shape that can be assigned to the one of `type`.
static FuzzType smaller_shape(Fuzz *fuzz, const FuzzType *type) {
    FuzzType result = *type;
    while (result.depth > 0 && fuzz_percent(fuzz, 12)) {
        result.depth--;
    }
    for (unsigned i = 0; i < result.depth; i++) {
        FuzzLevel *level = &result.levels[i];
        unsigned dropped = fuzz_percent(fuzz, 20) ? fuzz_below(fuzz, level->rank) : 0;
        memmove(level->dims, level->dims + dropped,
                (level->rank - dropped) * sizeof(level->dims[0]));
        level->rank -= dropped;
        for (unsigned k = 0; k < level->rank; k++) {
            level->dims[k] = fuzz_percent(fuzz, 10) ? 1 : level->dims[k];
        }
    }
    return result;
}

static bool make_cast(Fuzz *fuzz, const FuzzType *type, int fuel, FuzzPrecedence least) {
    (void)least;
    FuzzType from = smaller_shape(fuzz, type);
    from.root = fuzz_random_root(fuzz);
    if (fuzz_same_shape(&from, type) && fuzz_percent(fuzz, 30)) {
        same_shape_type(fuzz, type);
        fuzz_text(fuzz, "(");
        fuzz_expr(fuzz, &from, fuel - 1, PREC_ANY);
        fuzz_text(fuzz, ")");
        return true;
    }
    cast_type(fuzz, type);
    fuzz_text(fuzz, "(");
    fuzz_argument(fuzz, &from, fuel - 1);
    fuzz_text(fuzz, ")");
    return true;
}

static bool constant_int(Fuzz *fuzz, const FuzzType *type) {
    if (type->depth > 1 || fuzz_numel(type) > 6 || !fuzz_is_concrete(type) ||
        (type->depth == 1 && type->levels[0].rank != 1)) {
        return false;
    }
    for (unsigned i = 0; i < fuzz_numel(type); i++) {
        fuzz_text(fuzz, i > 0 ? ", " : type->depth > 0 ? "[" : "");
        buffer_format(fuzz->out, "%u", fuzz_below(fuzz, 9));
    }
    fuzz_text(fuzz, type->depth > 0 ? "]" : "");
    return true;
}

void fuzz_assignable(Fuzz *fuzz, const FuzzType *type, int fuel) {
    // L2.7: a constant int where a uint is wanted.
    if (type->root == FUZZ_UINT && fuzz_percent(fuzz, 15) && constant_int(fuzz, type)) {
        return;
    }
    FuzzType from = fuzz_percent(fuzz, 60) ? *type : smaller_shape(fuzz, type);
    if (fuzz_percent(fuzz, 25)) {
        from.root = (FuzzRoot)fuzz_below(fuzz, type->root + 1u);
    }
    fuzz_argument(fuzz, &from, fuel);
}

// Calls (L9).

// Gives the size parameters of the pattern the values that make it the concrete type.
static bool match_sizes(const FuzzType *pattern, const FuzzType *type, unsigned *sizes) {
    if (pattern->depth != type->depth || pattern->root != type->root) {
        return false;
    }
    for (unsigned i = 0; i < pattern->depth; i++) {
        const FuzzLevel *level = &pattern->levels[i];
        if (level->rank != type->levels[i].rank) {
            return false;
        }
        for (unsigned k = 0; k < level->rank; k++) {
            unsigned dim = type->levels[i].dims[k];
            unsigned wanted = level->dims[k];
            if (fuzz_is_size(wanted)) {
                unsigned *size = &sizes[wanted - FUZZ_SIZE_N];
                *size = *size == 0 ? dim : *size;
                wanted = *size;
            }
            if (wanted != dim) {
                return false;
            }
        }
    }
    return true;
}

FuzzType fuzz_with_sizes(const FuzzType *pattern, const unsigned *sizes) {
    FuzzType type = *pattern;
    for (unsigned i = 0; i < type.depth; i++) {
        for (unsigned k = 0; k < type.levels[i].rank; k++) {
            unsigned *dim = &type.levels[i].dims[k];
            *dim = fuzz_is_size(*dim) ? sizes[*dim - FUZZ_SIZE_N] : *dim;
        }
    }
    return type;
}

static void call_argument(Fuzz *fuzz, const FuzzType *param, const unsigned *sizes, int fuel) {
    if (fuzz_is_concrete(param)) {
        // Whole variables are passed by reference.
        if (!fuzz_percent(fuzz, 30) || !var_leaf(fuzz, param)) {
            fuzz_assignable(fuzz, param, fuel);
        }
        return;
    }
    // A size needs an argument of that rank.
    FuzzType argument = fuzz_with_sizes(param, sizes);
    if (fuzz_percent(fuzz, 25)) {
        argument.root = (FuzzRoot)fuzz_below(fuzz, param->root + 1u);
    }
    fuzz_argument(fuzz, &argument, fuel);
}

// Parameters from `*by_name` on are named; those with defaults may be left out. The result is how
// many arguments there are, with the parameters that they are for, in the order of the text.
static unsigned order_arguments(Fuzz *fuzz, const FuzzFunction *function, unsigned *by_name,
                                unsigned *order) {
    unsigned count = 0;
    *by_name = fuzz_percent(fuzz, 70) ? function->param_count
                                      : fuzz_below(fuzz, function->param_count + 1);
    for (unsigned i = 0; i < function->param_count; i++) {
        if (i >= function->default_from && fuzz_percent(fuzz, 40)) {
            *by_name = *by_name > i ? i : *by_name;
            continue;
        }
        // At a random place among those that are named.
        unsigned at = i < *by_name ? count : *by_name + fuzz_below(fuzz, count - *by_name + 1);
        for (unsigned k = count; k > at; k--) {
            order[k] = order[k - 1];
        }
        order[at] = i;
        count++;
    }
    return count;
}

static void write_call(Fuzz *fuzz, const FuzzFunction *function, const Buffer *places,
                       const unsigned *sizes, int fuel) {
    unsigned order[FUZZ_PARAMS];
    unsigned by_name;
    unsigned count = order_arguments(fuzz, function, &by_name, order);
    buffer_format(fuzz->out, "%s(", function->name);
    for (unsigned i = 0; i < count; i++) {
        unsigned k = order[i];
        fuzz_text(fuzz, i > 0 ? ", " : "");
        if (i >= by_name) {
            buffer_format(fuzz->out, "%s = ", function->param_names[k]);
        }
        if (function->is_var[k]) {
            fuzz_text(fuzz, places[k].data);
        } else {
            call_argument(fuzz, &function->params[k], sizes, fuel - 1);
        }
    }
    fuzz_text(fuzz, ")");
}

bool fuzz_call(Fuzz *fuzz, const FuzzFunction *function, unsigned *sizes, int fuel) {
    for (unsigned i = 0; i < FUZZ_SIZE_COUNT; i++) {
        sizes[i] = sizes[i] == 0 ? 1 + fuzz_below(fuzz, 3) : sizes[i];
    }
    Buffer places[FUZZ_PARAMS] = {{0}};
    bool ok = fuzz_choose_places(fuzz, function, places);
    if (ok) {
        write_call(fuzz, function, places, sizes, fuel);
    }
    for (unsigned i = 0; i < FUZZ_PARAMS; i++) {
        buffer_free(&places[i]);
    }
    return ok;
}

static bool make_call(Fuzz *fuzz, const FuzzType *type, int fuel, FuzzPrecedence least) {
    (void)least;
    if (fuzz->is_file_level) {
        return false;
    }
    for (unsigned i = fuzz->function_count; i-- > 0;) {
        const FuzzFunction *function = &fuzz->functions[i];
        unsigned sizes[FUZZ_SIZE_COUNT] = {0};
        bool may_write = fuzz->index_depth == 0 || !fuzz_writes_places(function);
        if (function->has_result && function->more_count == 0 && may_write &&
            (function->is_short || fuzz->loop_depth < 2) &&
            (function->is_pure || fuzz->index_depth == 0) &&
            match_sizes(&function->result, type, sizes)) {
            if (!fuzz_call(fuzz, function, sizes, fuel)) {
                return false;
            }
            fuzz_note_call(fuzz, function);
            return true;
        }
    }
    return false;
}

// The choice.

typedef struct WeightedWay {
    FuzzWay *way;
    unsigned weight;
} WeightedWay;

static const WeightedWay ways[] = {
    {make_leaf, 6},        {make_literal, 6},      {make_cast, 5},      {make_call, 8},
    {fuzz_arithmetic, 16}, {fuzz_relation, 10},    {fuzz_logic, 8},     {fuzz_bitwise, 8},
    {fuzz_unary, 4},       {fuzz_dot, 5},          {fuzz_transpose, 6}, {fuzz_element_of_var, 10},
    {fuzz_element, 3},     {fuzz_slice, 5},        {fuzz_flip, 4},      {fuzz_function, 5},
    {fuzz_predicate, 4},   {fuzz_reduction, 6},    {fuzz_position, 3},  {fuzz_extreme, 4},
    {fuzz_clamp, 2},       {fuzz_compared, 2},     {fuzz_select, 4},    {fuzz_bits, 3},
    {fuzz_running_sum, 3}, {fuzz_narrow, 2},       {fuzz_reshape, 3},   {fuzz_permute, 4},
    {fuzz_concat, 4},      {fuzz_nest, 3},         {fuzz_unnest, 3},    {fuzz_placement, 2},
    {fuzz_maker, 3},       {fuzz_matrix_shape, 3}, {fuzz_attribute, 1}, {fuzz_algebra, 1},
};

void fuzz_expr(Fuzz *fuzz, const FuzzType *type, int fuel, FuzzPrecedence least) {
    enum { WAYS = sizeof(ways) / sizeof(ways[0]), TRIES = 12 };
    unsigned total = 0;
    for (unsigned i = 0; i < WAYS; i++) {
        total += ways[i].weight;
    }
    if (fuzz->is_deep && fuzz_percent(fuzz, 30) && fuzz_mixed(fuzz, type, fuel, least)) {
        return;
    }
    bool is_large = fuzz->out->len > 9000 || fuzz_numel(type) > 4 * fuzz->numel;
    for (unsigned i = 0; i < TRIES && fuel > 0 && !is_large; i++) {
        unsigned at = fuzz_below(fuzz, total);
        unsigned k = 0;
        while (at >= ways[k].weight) {
            at -= ways[k++].weight;
        }
        if (ways[k].way(fuzz, type, fuel, least)) {
            return;
        }
    }
    fuzz_leaf(fuzz, type, least);
}

void fuzz_divisor(Fuzz *fuzz, const FuzzType *type, int fuel) {
    if (type->root == FUZZ_REAL) {
        fuzz_expr(fuzz, type, fuel, PREC_ATOM);
    } else if (fuzz_percent(fuzz, fuzz->risk) && var_leaf(fuzz, type)) {
        return;
    } else if (type->root == FUZZ_INT && type->depth == 0 && fuzz_percent(fuzz, 15)) {
        buffer_format(fuzz->out, "(-%u)", 1 + fuzz_below(fuzz, 3));
    } else if (type->depth == 0 && fuzz_percent(fuzz, 40)) {
        buffer_format(fuzz->out, "%u%s", 1 + fuzz_below(fuzz, 9),
                      type->root == FUZZ_UINT ? "u" : "");
    } else {
        fuzz_text(fuzz, "max(");
        fuzz_argument(fuzz, type, fuel);
        fuzz_text(fuzz, type->root == FUZZ_UINT ? ", 1u)" : ", 1)");
    }
}

void fuzz_term(Fuzz *fuzz, const FuzzType *type, FuzzRoot result, int fuel) {
    bool is_whole = result == FUZZ_REAL && type->root > FUZZ_BOOL && !fuzz->is_strict;
    if (is_whole) {
        fuzz_text(fuzz, type->root == FUZZ_REAL ? "round(clamp(" : "clamp(");
    } else {
        fuzz_text(fuzz, "(");
    }
    fuzz_argument(fuzz, type, fuel);
    if (is_whole) {
        fuzz_text(fuzz, type->root == FUZZ_REAL  ? ", -9.0, 9.0)"
                        : type->root == FUZZ_INT ? ", -9, 9"
                                                 : ", 0u, 9u");
    }
    fuzz_text(fuzz, ")");
}

void fuzz_hide_ulps(Fuzz *fuzz, const FuzzType *type) {
    fuzz_text(fuzz, type->depth > 0 && !fuzz->is_strict ? "round(clamp(0.731902 * " : "");
}

void fuzz_hidden(Fuzz *fuzz, const FuzzType *type) {
    fuzz_text(fuzz, type->depth > 0 && !fuzz->is_strict ? ", -5.0, 5.0))" : "");
}
