// Operators (L5).
#include "tests/random/generator.h"

#include <string.h>

static void binary(Fuzz *fuzz, const FuzzType *left, const char *op, const FuzzType *right,
                   int fuel, FuzzPrecedence precedence, FuzzPrecedence least) {
    bool is_open = fuzz_open(fuzz, precedence, least);
    fuzz_expr(fuzz, left, fuel - 1 - (int)fuzz_below(fuzz, 2), precedence);
    buffer_format(fuzz->out, " %s ", op);
    fuzz_expr(fuzz, right, fuel - 1 - (int)fuzz_below(fuzz, 2), precedence + 1);
    fuzz_close(fuzz, is_open);
}

static void swap(FuzzType *a, FuzzType *b) {
    FuzzType saved = *a;
    *a = *b;
    *b = saved;
}

void fuzz_split(Fuzz *fuzz, const FuzzType *type, FuzzType *left, FuzzType *right) {
    FuzzType whole = *type; // keeps every level
    FuzzType part = *type;  // may become a scalar on some level, and lose dims
    while (part.depth > 0 && fuzz_percent(fuzz, 15)) {
        part.depth--;
    }
    for (unsigned i = 0; i < part.depth; i++) {
        FuzzLevel *level = &part.levels[i];
        unsigned dropped = fuzz_percent(fuzz, 20) ? fuzz_below(fuzz, level->rank) : 0;
        for (unsigned k = dropped; k < level->rank; k++) {
            unsigned *other = &whole.levels[i].dims[k];
            unsigned *stretched = fuzz_percent(fuzz, 50) ? other : &level->dims[k];
            *stretched = fuzz_percent(fuzz, 20) ? 1 : *stretched;
        }
        memmove(level->dims, level->dims + dropped,
                (level->rank - dropped) * sizeof(level->dims[0]));
        level->rank -= dropped;
    }
    *left = whole;
    *right = part;
    if (fuzz_percent(fuzz, 50)) {
        swap(left, right);
    }
}

// One of the two roots is `root`, the other one not greater; not both are bool.
static void split_roots(Fuzz *fuzz, FuzzRoot root, bool bool_left, bool bool_right, FuzzType *left,
                        FuzzType *right) {
    left->root = root;
    right->root = root;
    if (fuzz_percent(fuzz, 35)) {
        bool is_left = fuzz_percent(fuzz, 50);
        unsigned least = (is_left ? bool_left : bool_right) ? FUZZ_BOOL : FUZZ_UINT;
        (is_left ? left : right)->root = (FuzzRoot)(least + fuzz_below(fuzz, root - least + 1u));
    }
}

bool fuzz_arithmetic(Fuzz *fuzz, const FuzzType *type, int fuel, FuzzPrecedence least) {
    static const char *const ops[] = {"+", "-", "*", "+", "-", "*", "/", "%", "\\", "**"};
    if (type->root == FUZZ_BOOL) {
        return false;
    }
    const char *op = ops[fuzz_below(fuzz, 10)];
    FuzzType left;
    FuzzType right;
    fuzz_split(fuzz, type, &left, &right);
    bool divides = strchr("/%", op[0]) != NULL;
    split_roots(fuzz, type->root, op[0] != '\\', !divides, &left, &right);
    FuzzPrecedence precedence = op[0] == '+' || op[0] == '-' ? PREC_SUM : PREC_PRODUCT;
    if (strcmp(op, "**") == 0) {
        if (type->root != FUZZ_REAL) {
            return false;
        }
        bool is_hidden = type->depth > 0 && !fuzz->is_strict;
        fuzz_hide_ulps(fuzz, type);
        FuzzRoot other = fuzz_random_number(fuzz);
        *(fuzz_percent(fuzz, 50) ? &left.root : &right.root) = other;
        bool is_open = fuzz_open(fuzz, PREC_POSTFIX, is_hidden ? PREC_ATOM : least);
        fuzz_expr(fuzz, &left, fuel - 1, PREC_POSTFIX);
        fuzz_text(fuzz, " ** ");
        fuzz_expr(fuzz, &right, fuel - 1, PREC_ATOM);
        fuzz_close(fuzz, is_open);
        fuzz_hidden(fuzz, type);
        return true;
    }
    if (!divides && op[0] != '\\') {
        binary(fuzz, &left, op, &right, fuel, precedence, least);
        return true;
    }
    bool is_open = fuzz_open(fuzz, precedence, least);
    if (divides) {
        fuzz_expr(fuzz, &left, fuel - 1, precedence);
        buffer_format(fuzz->out, " %s ", op);
        fuzz_divisor(fuzz, &right, fuel - 1);
    } else {
        fuzz_divisor(fuzz, &left, fuel - 1);
        fuzz_text(fuzz, " \\ ");
        fuzz_expr(fuzz, &right, fuel - 1, precedence + 1);
    }
    fuzz_close(fuzz, is_open);
    return true;
}

// Operands of the strict operators (L5.4): the same shape, or one scalar.
static void strict_operands(Fuzz *fuzz, const FuzzType *type, FuzzType *left, FuzzType *right) {
    *left = *type;
    *right = *type;
    if (fuzz_percent(fuzz, 35)) {
        (fuzz_percent(fuzz, 50) ? left : right)->depth = 0;
    }
}

bool fuzz_relation(Fuzz *fuzz, const FuzzType *type, int fuel, FuzzPrecedence least) {
    static const char *const ops[] = {"==", "!=", "<", "<=", ">", ">="};
    if (type->root != FUZZ_BOOL) {
        return false;
    }
    FuzzType left;
    FuzzType right;
    strict_operands(fuzz, type, &left, &right);
    bool of_bools = fuzz_percent(fuzz, 15);
    left.root = of_bools ? FUZZ_BOOL : fuzz_random_number(fuzz);
    right.root = of_bools                 ? FUZZ_BOOL
                 : fuzz_percent(fuzz, 60) ? left.root
                                          : fuzz_random_number(fuzz);
    const char *op = ops[fuzz_below(fuzz, of_bools ? 2 : 6)];
    bool is_open = fuzz_open(fuzz, PREC_RELATION, least);
    fuzz_expr(fuzz, &left, fuel - 1, PREC_SHIFT);
    buffer_format(fuzz->out, " %s ", op);
    fuzz_expr(fuzz, &right, fuel - 1, PREC_SHIFT);
    fuzz_close(fuzz, is_open);
    return true;
}

static bool is_vector(const FuzzVar *var, const FuzzType *type) {
    (void)type;
    return var->type.depth == 1 && var->type.levels[0].rank == 1 && var->type.root != FUZZ_BOOL;
}

// The right side would trap if the left did not decide: an index, or a division.
static bool guarded(Fuzz *fuzz, FuzzPrecedence least) {
    FuzzType type = fuzz_scalar(FUZZ_INT);
    const FuzzVar *index = fuzz_find_var(fuzz, fuzz_has_type, &type);
    const FuzzVar *vector = fuzz_find_var(fuzz, is_vector, NULL);
    if (!index || index->role == FUZZ_CONSTANT) {
        return false; // a constant that does not fit is an error also where it is never used
    }
    bool is_and = fuzz_percent(fuzz, 50);
    bool is_open = fuzz_open(fuzz, is_and ? PREC_AND : PREC_OR, least);
    if (vector && fuzz_percent(fuzz, 70)) {
        buffer_format(fuzz->out, is_and ? "%s >= 0 and %s < " : "%s < 0 or %s >= ", index->name,
                      index->name);
        fuzz_dim_text(vector->type.levels[0].dims[0], fuzz->out);
        buffer_format(fuzz->out, " %s %s[%s] > 1", is_and ? "and" : "or", vector->name,
                      index->name);
    } else {
        buffer_format(fuzz->out, is_and ? "%s != 0 and 7 / %s > 1" : "%s == 0 or 7 %% %s > 1",
                      index->name, index->name);
    }
    fuzz_close(fuzz, is_open);
    return true;
}

bool fuzz_logic(Fuzz *fuzz, const FuzzType *type, int fuel, FuzzPrecedence least) {
    if (type->root != FUZZ_BOOL) {
        return false;
    }
    if (type->depth == 0 && fuzz_percent(fuzz, 20) && guarded(fuzz, least)) {
        return true;
    }
    FuzzType left;
    FuzzType right;
    strict_operands(fuzz, type, &left, &right);
    unsigned kind = fuzz_below(fuzz, 5);
    if (kind == 0) {
        bool is_open = fuzz_open(fuzz, PREC_NOT, least);
        fuzz_text(fuzz, "not ");
        fuzz_expr(fuzz, type, fuel - 1, PREC_NOT);
        fuzz_close(fuzz, is_open);
    } else {
        bool is_and = kind < 3;
        binary(fuzz, &left, is_and ? "and" : "or", &right, fuel, is_and ? PREC_AND : PREC_OR,
               least);
    }
    return true;
}

bool fuzz_bitwise(Fuzz *fuzz, const FuzzType *type, int fuel, FuzzPrecedence least) {
    static const struct {
        const char *text;
        FuzzPrecedence precedence;
    } ops[] = {
        {"&", PREC_BIT_AND}, {"^", PREC_BIT_XOR}, {"|", PREC_BIT_OR},
        {"<<", PREC_SHIFT},  {">>", PREC_SHIFT},
    };
    if (type->root != FUZZ_UINT) {
        return false;
    }
    FuzzType left;
    FuzzType right;
    strict_operands(fuzz, type, &left, &right);
    unsigned op = fuzz_below(fuzz, 5);
    if (right.depth == 0 && fuzz_percent(fuzz, 30)) {
        // L2.7: a constant int beside a uint.
        bool is_open = fuzz_open(fuzz, ops[op].precedence, least);
        fuzz_expr(fuzz, &left, fuel - 1, ops[op].precedence);
        buffer_format(fuzz->out, " %s %u", ops[op].text, fuzz_below(fuzz, 40));
        fuzz_close(fuzz, is_open);
    } else {
        binary(fuzz, &left, ops[op].text, &right, fuel, ops[op].precedence, least);
    }
    return true;
}

bool fuzz_unary(Fuzz *fuzz, const FuzzType *type, int fuel, FuzzPrecedence least) {
    if (type->root == FUZZ_BOOL) {
        return false;
    }
    unsigned kind = fuzz_below(fuzz, 4);
    bool is_open = fuzz_open(fuzz, PREC_UNARY, least);
    fuzz_text(fuzz, type->root == FUZZ_UINT && kind < 2 ? "~" : kind == 3 ? "+" : "-");
    fuzz_expr(fuzz, type, fuel - 1, PREC_UNARY);
    fuzz_close(fuzz, is_open);
    return true;
}

bool fuzz_dot(Fuzz *fuzz, const FuzzType *type, int fuel, FuzzPrecedence least) {
    if (type->root == FUZZ_BOOL || type->depth > 1 ||
        (type->depth == 1 && type->levels[0].rank > 2)) {
        return false;
    }
    unsigned rank = type->depth == 0 ? 0 : type->levels[0].rank;
    const unsigned *dims = type->levels[0].dims;
    unsigned inner = fuzz_random_dim(fuzz);
    FuzzType left = fuzz_vector(type->root, inner);
    FuzzType right = fuzz_vector(type->root, inner);
    if (rank == 1 && fuzz_percent(fuzz, 50)) {
        right = fuzz_matrix(type->root, inner, dims[0]);
    } else if (rank == 1) {
        left = fuzz_matrix(type->root, dims[0], inner);
    } else if (rank == 2) {
        left = fuzz_matrix(type->root, dims[0], inner);
        right = fuzz_matrix(type->root, inner, dims[1]);
    }
    if (rank > 0 && fuzz_percent(fuzz, 15)) {
        left = fuzz_scalar(type->root);
        right = *type;
        if (fuzz_percent(fuzz, 50)) {
            swap(&left, &right);
        }
    }
    split_roots(fuzz, type->root, false, false, &left, &right);
    bool is_open = fuzz_open(fuzz, PREC_PRODUCT, least);
    fuzz_term(fuzz, &left, type->root, fuel - 1);
    fuzz_text(fuzz, " .* ");
    fuzz_term(fuzz, &right, type->root, fuel - 1);
    fuzz_close(fuzz, is_open);
    return true;
}

bool fuzz_transpose(Fuzz *fuzz, const FuzzType *type, int fuel, FuzzPrecedence least) {
    if (type->depth == 0 || type->levels[0].rank != 2) {
        return false;
    }
    FuzzType operand = *type;
    operand.levels[0].dims[0] = type->levels[0].dims[1];
    operand.levels[0].dims[1] = type->levels[0].dims[0];
    bool is_open = fuzz_open(fuzz, PREC_POSTFIX, least);
    fuzz_expr(fuzz, &operand, fuel - 1, PREC_POSTFIX);
    fuzz_text(fuzz, "'");
    fuzz_close(fuzz, is_open);
    return true;
}
