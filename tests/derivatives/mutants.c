// tir/derive/partial.c with mistakes in it: TMLC_MUTANT says which one of mutants.inc, that
// mutants.py makes of tir/derive.def, takes the place of its rule; or is `select`: products of the
// chain rule are then plain selections, which lose second derivatives (L17.7).
#define partial_by partial_by_rule
#define partial_times partial_times_right
#include "tir/derive/partial.c"
#undef partial_by
#undef partial_times

#include <stdlib.h>
#include <string.h>

TirExpr *partial_by(Partial *partial, unsigned k);
TirExpr *partial_times(Tir *tir, TirExpr *a, TirExpr *b);

#define MUTANT(NUMBER, NAME, K, expr)                   \
    static TirExpr *mutant_##NUMBER(Partial *partial) { \
        return expr;                                    \
    }
#include "mutants.inc"
#undef MUTANT

static const struct {
    TirOp op;
    unsigned k;
    Rule *rule;
} mutants[] = {
#define MUTANT(NUMBER, NAME, K, expr) {OP_##NAME, K, mutant_##NUMBER},
#include "mutants.inc"
};

static const char *chosen(void) {
    const char *name = getenv("TMLC_MUTANT");
    return name == NULL ? "" : name;
}

TirExpr *partial_by(Partial *partial, unsigned k) {
    char *end;
    unsigned long number = strtoul(chosen(), &end, 10);
    if (end == chosen()) {
        return partial_by_rule(partial, k);
    }
    CHECK(number < sizeof(mutants) / sizeof(*mutants));
    bool is_it = mutants[number].op == partial->map->map.op && mutants[number].k == k;
    return is_it ? mutants[number].rule(partial) : partial_by_rule(partial, k);
}

TirExpr *partial_times(Tir *tir, TirExpr *a, TirExpr *b) {
    TirExpr *product = partial_times_right(tir, a, b);
    if (strcmp(chosen(), "select") != 0 || product == NULL || product->kind != EXPR_MAP ||
        product->map.op != OP_MULZ) {
        return product;
    }
    const Type *bools = type_with_root(tir->types, a->type, ROOT_BOOL);
    TirExpr *zero = partial_fill(tir, a->type, 0, a->span);
    TirExpr *by_a =
        tir_map(tir, OP_EQ, bools, partial_copy(tir, a), partial_copy(tir, zero), NULL, a->span);
    TirExpr *by_b =
        tir_map(tir, OP_EQ, bools, partial_copy(tir, b), partial_copy(tir, zero), NULL, a->span);
    product->map.op = OP_MUL;
    return tir_map(tir, OP_SELECT, a->type, tir_map(tir, OP_OR, bools, by_a, by_b, NULL, a->span),
                   zero, product, a->span);
}
