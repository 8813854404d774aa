// Built-ins that compute (L11).
#include "tests/random/generator.h"

#include <string.h>

// name(argument)
static void call_of(Fuzz *fuzz, const char *name, const FuzzType *argument, int fuel) {
    buffer_format(fuzz->out, "%s(", name);
    fuzz_argument(fuzz, argument, fuel - 1);
    fuzz_text(fuzz, ")");
}

// name(left, right)
static void two_arguments(Fuzz *fuzz, const char *name, const FuzzType *left, const FuzzType *right,
                          int fuel) {
    buffer_format(fuzz->out, "%s(", name);
    fuzz_argument(fuzz, left, fuel - 1);
    fuzz_text(fuzz, ", ");
    fuzz_argument(fuzz, right, fuel - 1);
    fuzz_text(fuzz, ")");
}

bool fuzz_function(Fuzz *fuzz, const FuzzType *type, int fuel, FuzzPrecedence least) {
    (void)least;
    static const char *const rounded[] = {"floor", "ceil", "round", "rint", "trunc", "abs", "sqrt"};
    static const char *const others[] = {"sin",   "cos",   "tan",  "asin", "acos",  "atan",
                                         "log",   "log10", "exp",  "exp2", "expm1", "log2",
                                         "log1p", "sinh",  "cosh", "tanh", "asinh", "acosh",
                                         "atanh", "cbrt",  "erf",  "erfc", "atan2", "hypot"};
    if (type->root != FUZZ_REAL) {
        return false;
    }
    FuzzType argument = fuzz_with_root(type, fuzz_random_number(fuzz));
    if (fuzz_percent(fuzz, 50)) {
        call_of(fuzz, rounded[fuzz_below(fuzz, 7)], &argument, fuel);
        return true;
    }
    unsigned which = fuzz_below(fuzz, 24);
    bool has_two = which >= 22;
    FuzzType second = fuzz_with_root(type, fuzz_random_number(fuzz));
    if (fuzz_percent(fuzz, 30)) {
        (fuzz_percent(fuzz, 50) && has_two ? &argument : &second)->depth = 0;
    }
    fuzz_hide_ulps(fuzz, type);
    buffer_format(fuzz->out, "%s(", others[which]);
    fuzz_argument(fuzz, &argument, fuel - 1);
    if (has_two) {
        fuzz_text(fuzz, ", ");
        fuzz_argument(fuzz, &second, fuel - 1);
    }
    fuzz_text(fuzz, ")");
    fuzz_hidden(fuzz, type);
    return true;
}

bool fuzz_predicate(Fuzz *fuzz, const FuzzType *type, int fuel, FuzzPrecedence least) {
    (void)least;
    static const char *const names[] = {"isnan", "isinf", "isfinite"};
    if (type->root != FUZZ_BOOL && type->root != FUZZ_INT) {
        return false;
    }
    FuzzRoot root = fuzz_percent(fuzz, 70) ? FUZZ_REAL : fuzz_random_number(fuzz);
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
    if (type->depth == FUZZ_DEPTH || numel > 2 * fuzz->numel) {
        return false;
    }
    FuzzLevel level = fuzz_random_level(fuzz, FUZZ_RANK, 3 * fuzz->numel / numel);
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
        operand.root = fuzz_random_number(fuzz);
    } else if (type->root == FUZZ_UINT && strcmp(name, "sum") == 0 && fuzz_percent(fuzz, 30) &&
               operand.depth > 0) {
        operand.root = FUZZ_BOOL;
    }
    buffer_format(fuzz->out, "%s%s(", name, mark);
    if (name[0] == 's' || name[0] == 'p' || strcmp(name, "mean") == 0) {
        // The product of many whole numbers is not exact.
        bool many = name[0] == 'p' && type->root == FUZZ_REAL && !fuzz->is_strict &&
                    fuzz_numel(&operand) > 7;
        fuzz_text(fuzz, many ? "1.0 * sign(" : "");
        fuzz_term(fuzz, &operand, type->root, fuel - 1);
        fuzz_text(fuzz, many ? ")" : "");
    } else {
        fuzz_argument(fuzz, &operand, fuel - 1);
    }
    fuzz_text(fuzz, ")");
    return true;
}

bool fuzz_position(Fuzz *fuzz, const FuzzType *type, int fuel, FuzzPrecedence least) {
    (void)least;
    if (type->root != FUZZ_INT || type->depth == FUZZ_DEPTH || fuzz_numel(type) > 2 * fuzz->numel) {
        return false;
    }
    FuzzType operand = fuzz_with_root(type, fuzz_random_number(fuzz));
    operand.levels[operand.depth++] =
        fuzz_random_level(fuzz, FUZZ_RANK, 3 * fuzz->numel / fuzz_numel(type));
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
    two_arguments(fuzz, fuzz_percent(fuzz, 50) ? "min" : "max", &left, &right, fuel);
    return true;
}

bool fuzz_compared(Fuzz *fuzz, const FuzzType *type, int fuel, FuzzPrecedence least) {
    (void)least;
    static const char *const names[] = {"eq", "ne", "lt", "le", "gt", "ge"};
    if (type->root != FUZZ_BOOL) {
        return false;
    }
    FuzzType left;
    FuzzType right;
    fuzz_split(fuzz, type, &left, &right);
    left.root = fuzz_random_number(fuzz);
    right.root = fuzz_random_number(fuzz);
    two_arguments(fuzz, names[fuzz_below(fuzz, 6)], &left, &right, fuel);
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
    static const char *const counts[] = {"popcount", "clz", "ctz", "bitreverse"};
    if (fuzz_percent(fuzz, 40)) {
        call_of(fuzz, counts[fuzz_below(fuzz, 4)], type, fuel);
        return true;
    }
    if (fuzz_percent(fuzz, 30)) {
        FuzzType left;
        FuzzType right;
        fuzz_split(fuzz, type, &left, &right);
        two_arguments(fuzz, "mulhi", &left, &right, fuel);
        return true;
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
    fuzz_text(fuzz, "cumsum(");
    fuzz_term(fuzz, type, type->root, fuel - 1);
    fuzz_text(fuzz, ")");
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
    if (is_square && fuzz_percent(fuzz, 30)) {
        buffer_format(fuzz->out, "round(clamp(7.31902 * chol(80.0 * eye(%u) + %u.0), -1e9, 1e9))",
                      order, fuzz_below(fuzz, 9));
        return true;
    }
    buffer_format(fuzz->out, "round(clamp(%s * %s(80.0 * eye(%u) + ",
                  rank == 0 ? "7.31902e-6" : "7.31902", name, order);
    fuzz_term(fuzz, &matrix, FUZZ_REAL, fuel - 2);
    if (strcmp(name, "solve") == 0) {
        fuzz_text(fuzz, ", ");
        fuzz_term(fuzz, type, FUZZ_REAL, fuel - 2);
    }
    fuzz_text(fuzz, "), -1e9, 1e9))");
    return true;
}
