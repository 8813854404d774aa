// Built-ins that compute (L11).
#include "tests/fuzz/generator.h"

#include <string.h>

// name(argument)
static void call_of(Fuzz *fuzz, const char *name, const FuzzType *argument, int fuel) {
    buffer_format(fuzz->out, "%s(", name);
    fuzz_argument(fuzz, argument, fuel - 1);
    fuzz_text(fuzz, ")");
}

// The same of a real that may be added up in any order.
static void call_of_exact(Fuzz *fuzz, const char *name, const FuzzType *argument, int fuel) {
    buffer_format(fuzz->out, "%s(", name);
    fuzz_exact(fuzz, argument, fuel - 1);
    fuzz_text(fuzz, ")");
}

bool fuzz_function(Fuzz *fuzz, const FuzzType *type, int fuel, FuzzPrecedence least) {
    (void)least;
    static const char *const rounded[] = {"floor", "ceil", "round", "trunc", "abs", "sqrt"};
    static const char *const others[] = {"sin",   "cos",   "tan",  "asin", "acos",  "atan",
                                         "log",   "log10", "exp",  "exp2", "expm1", "log2",
                                         "log1p", "sinh",  "cosh", "tanh", "asinh", "acosh",
                                         "atanh", "cbrt",  "erf",  "erfc", "atan2", "hypot"};
    if (type->root != FUZZ_REAL) {
        return false;
    }
    FuzzType argument = fuzz_with_root(type, fuzz_random_number(&fuzz->random));
    if (fuzz_percent(fuzz, 50)) {
        call_of(fuzz, rounded[fuzz_below(fuzz, 6)], &argument, fuel);
        return true;
    }
    unsigned which = fuzz_below(fuzz, 24);
    bool has_two = which >= 22;
    FuzzType second = fuzz_with_root(type, fuzz_random_number(&fuzz->random));
    if (fuzz_percent(fuzz, 30)) {
        (fuzz_percent(fuzz, 50) && has_two ? &argument : &second)->depth = 0;
    }
    bool is_vector = type->depth > 0;
    fuzz_text(fuzz, is_vector ? "round(clamp(7.31902 * " : "");
    buffer_format(fuzz->out, "%s(", others[which]);
    fuzz_argument(fuzz, &argument, fuel - 1);
    if (has_two) {
        fuzz_text(fuzz, ", ");
        fuzz_argument(fuzz, &second, fuel - 1);
    }
    fuzz_text(fuzz, is_vector ? "), -50.0, 50.0))" : ")");
    return true;
}

bool fuzz_predicate(Fuzz *fuzz, const FuzzType *type, int fuel, FuzzPrecedence least) {
    (void)least;
    static const char *const names[] = {"isnan", "isinf", "isfinite"};
    if (type->root != FUZZ_BOOL && type->root != FUZZ_INT) {
        return false;
    }
    FuzzRoot root = fuzz_percent(fuzz, 70) ? FUZZ_REAL : fuzz_random_number(&fuzz->random);
    FuzzType argument = fuzz_with_root(type, root);
    call_of(fuzz, type->root == FUZZ_INT ? "sign" : names[fuzz_below(fuzz, 3)], &argument, fuel);
    return true;
}

// The type of whose reduction `type` is the shape; `name` gets a `!` when it is one across levels.
static bool reduced_from(Fuzz *fuzz, const FuzzType *type, const char **mark, FuzzType *operand) {
    *mark = fuzz_percent(fuzz, 40) ? "!" : "";
    *operand = *type;
    if (fuzz_percent(fuzz, 8) && type->depth == 0) {
        return true; // a scalar is its own
    }
    unsigned numel = fuzz_numel(type);
    if (type->depth == FUZZ_DEPTH || numel > 2 * FUZZ_NUMEL) {
        return false;
    }
    FuzzLevel level = fuzz_random_level(&fuzz->random, FUZZ_RANK, 3 * FUZZ_NUMEL / numel);
    // `f` removes the innermost level; `f!` the one above it, or the only one.
    unsigned at = type->depth;
    if (**mark && type->depth > 0) {
        at--;
        operand->levels[type->depth] = operand->levels[at];
    }
    operand->levels[at] = level;
    operand->depth++;
    return true;
}

bool fuzz_reduction(Fuzz *fuzz, const FuzzType *type, int fuel, FuzzPrecedence least) {
    (void)least;
    static const char *const of_bools[] = {"all", "any"};
    static const char *const of_numbers[] = {"min", "max", "sum", "prod", "sum"};
    const char *mark;
    FuzzType operand;
    if (!reduced_from(fuzz, type, &mark, &operand)) {
        return false;
    }
    const char *name =
        type->root == FUZZ_BOOL ? of_bools[fuzz_below(fuzz, 2)] : of_numbers[fuzz_below(fuzz, 5)];
    if (type->root == FUZZ_REAL && fuzz_percent(fuzz, 25)) {
        name = "mean";
        operand.root = fuzz_random_number(&fuzz->random);
    } else if (type->root == FUZZ_UINT && strcmp(name, "sum") == 0 && fuzz_percent(fuzz, 30) &&
               operand.depth > 0) {
        operand.root = FUZZ_BOOL;
    }
    buffer_format(fuzz->out, "%s%s(", name, mark);
    if (name[0] == 's' || name[0] == 'p' || strcmp(name, "mean") == 0) {
        bool many = strcmp(name, "prod") == 0 && fuzz_numel(&operand) > 12;
        fuzz_text(fuzz, many && type->root == FUZZ_REAL ? "sign(" : "");
        fuzz_exact(fuzz, &operand, fuel - 1);
        fuzz_text(fuzz, many && type->root == FUZZ_REAL ? ") * 1.0" : "");
    } else {
        fuzz_argument(fuzz, &operand, fuel - 1);
    }
    fuzz_text(fuzz, ")");
    return true;
}

bool fuzz_position(Fuzz *fuzz, const FuzzType *type, int fuel, FuzzPrecedence least) {
    (void)least;
    if (type->root != FUZZ_INT || type->depth == FUZZ_DEPTH || fuzz_numel(type) > 2 * FUZZ_NUMEL) {
        return false;
    }
    FuzzType operand = fuzz_with_root(type, fuzz_random_number(&fuzz->random));
    operand.levels[operand.depth++] =
        fuzz_random_level(&fuzz->random, FUZZ_RANK, 3 * FUZZ_NUMEL / fuzz_numel(type));
    call_of(fuzz, fuzz_percent(fuzz, 50) ? "argmin" : "argmax", &operand, fuel);
    return true;
}

bool fuzz_extreme(Fuzz *fuzz, const FuzzType *type, int fuel, FuzzPrecedence least) {
    (void)least;
    if (type->root == FUZZ_BOOL) {
        return false;
    }
    FuzzType left;
    FuzzType right;
    fuzz_split(fuzz, type, &left, &right);
    (fuzz_percent(fuzz, 50) ? &left : &right)->root =
        (FuzzRoot)(FUZZ_UINT + fuzz_below(fuzz, type->root));
    fuzz_text(fuzz, fuzz_percent(fuzz, 50) ? "min(" : "max(");
    fuzz_argument(fuzz, &left, fuel - 1);
    fuzz_text(fuzz, ", ");
    fuzz_argument(fuzz, &right, fuel - 1);
    fuzz_text(fuzz, ")");
    return true;
}

bool fuzz_clamp(Fuzz *fuzz, const FuzzType *type, int fuel, FuzzPrecedence least) {
    (void)least;
    if (type->root == FUZZ_BOOL) {
        return false;
    }
    FuzzType value;
    FuzzType bounds;
    FuzzType low;
    FuzzType high;
    fuzz_split(fuzz, type, &value, &bounds);
    fuzz_split(fuzz, &bounds, &low, &high);
    value.root = (FuzzRoot)(FUZZ_UINT + fuzz_below(fuzz, type->root));
    fuzz_text(fuzz, "clamp(");
    fuzz_argument(fuzz, &value, fuel - 1);
    fuzz_text(fuzz, ", ");
    fuzz_argument(fuzz, &low, fuel - 2);
    fuzz_text(fuzz, ", ");
    fuzz_argument(fuzz, &high, fuel - 2);
    fuzz_text(fuzz, ")");
    return true;
}

bool fuzz_select(Fuzz *fuzz, const FuzzType *type, int fuel, FuzzPrecedence least) {
    (void)least;
    FuzzType condition;
    FuzzType values;
    FuzzType left;
    FuzzType right;
    fuzz_split(fuzz, type, &condition, &values);
    fuzz_split(fuzz, &values, &left, &right);
    condition.root = FUZZ_BOOL;
    if (fuzz_percent(fuzz, 25)) {
        (fuzz_percent(fuzz, 50) ? &left : &right)->root =
            (FuzzRoot)fuzz_below(fuzz, type->root + 1u);
    }
    fuzz_text(fuzz, "select(");
    fuzz_argument(fuzz, &condition, fuel - 1);
    fuzz_text(fuzz, ", ");
    fuzz_argument(fuzz, &left, fuel - 1);
    fuzz_text(fuzz, ", ");
    fuzz_argument(fuzz, &right, fuel - 1);
    fuzz_text(fuzz, ")");
    return true;
}

bool fuzz_bits(Fuzz *fuzz, const FuzzType *type, int fuel, FuzzPrecedence least) {
    (void)least;
    if (type->root != FUZZ_UINT) {
        return false;
    }
    bool is_get = fuzz_percent(fuzz, 50);
    fuzz_text(fuzz, is_get ? "getbit(" : "setbit(");
    fuzz_argument(fuzz, type, fuel - 1);
    for (unsigned i = is_get ? 1 : 0; i < 2; i++) {
        FuzzType argument = *type;
        argument.depth = fuzz_percent(fuzz, 50) ? 0 : type->depth;
        fuzz_text(fuzz, ", ");
        fuzz_argument(fuzz, &argument, fuel - 2);
    }
    fuzz_text(fuzz, ")");
    return true;
}

bool fuzz_running_sum(Fuzz *fuzz, const FuzzType *type, int fuel, FuzzPrecedence least) {
    (void)least;
    if (type->root == FUZZ_BOOL || type->depth != 1) {
        return false;
    }
    call_of_exact(fuzz, "cumsum", type, fuel);
    return true;
}

// Small dense algebra on matrices that are far from singular.
bool fuzz_algebra(Fuzz *fuzz, const FuzzType *type, int fuel, FuzzPrecedence least) {
    (void)least;
    if (type->root != FUZZ_REAL || type->depth > 1 || !fuzz_is_concrete(type)) {
        return false;
    }
    unsigned rank = type->depth == 0 ? 0 : type->levels[0].rank;
    unsigned order = rank == 0 ? 1 + fuzz_below(fuzz, 4) : type->levels[0].dims[0];
    const char *name = rank == 0 ? "det" : fuzz_percent(fuzz, 50) ? "solve" : "inv";
    bool is_square = rank == 2 && type->levels[0].dims[1] == order;
    if (rank > 2 || order > 4 || (!is_square && strcmp(name, "inv") == 0)) {
        return false;
    }
    FuzzType matrix = fuzz_matrix(FUZZ_REAL, order, order);
    buffer_format(fuzz->out, "round(clamp(7.31902 * %s(80.0 * eye(%u) + ", name, order);
    fuzz_exact(fuzz, &matrix, fuel - 2);
    if (strcmp(name, "solve") == 0) {
        fuzz_text(fuzz, ", ");
        fuzz_exact(fuzz, type, fuel - 2);
    }
    fuzz_text(fuzz, "), -1e9, 1e9))");
    return true;
}
