// The rows of tir/derive.def become functions that build expressions. What is the same number in
// all elements is computed here, so that factors that are 1 or finite leave no trace.
#include "tir/derive/partial.h"

#include "support/bug.h"
#include "tir/scalar.h"
#include "tir/view.h"
#include "tir/visit.h"

#include <math.h>

static void copy_operand(TirExpr **operand, void *data) {
    *operand = partial_copy(data, *operand);
}

TirExpr *partial_copy(Tir *tir, const TirExpr *expr) {
    TirExpr *copy = tir_copy_node(tir, expr);
    tir_visit_operands(copy, copy_operand, tir);
    return copy;
}

TirExpr *partial_fill(Tir *tir, const Type *type, double value, Span span) {
    return tir_view(tir, type, tir_const_real(tir, value, span), NULL, span);
}

// Whether it is one number in all elements.
static bool is_uniform(const TirExpr *expr, double *value) {
    const TirExpr *bottom = tir_bottom(expr);
    if (bottom->kind != EXPR_CONST || bottom->type->numel != 1) {
        return false;
    }
    *value = bottom->data[0].real;
    return true;
}

static bool is_number(const TirExpr *expr, double number) {
    double value;
    return is_uniform(expr, &value) && value == number;
}

// A constant without zeros, infinities and nan.
static bool is_plain(const TirExpr *expr) {
    const TirExpr *bottom = tir_bottom(expr);
    if (bottom->kind != EXPR_CONST) {
        return false;
    }
    for (uint32_t i = 0; i < bottom->type->numel; i++) {
        if (!isfinite(bottom->data[i].real) || bottom->data[i].real == 0) {
            return false;
        }
    }
    return true;
}

static TirExpr *map(Tir *tir, TirOp op, TirExpr *a, TirExpr *b) {
    return tir_map(tir, op, a->type, a, b, NULL, a->span);
}

// a and b, or a alone, of one type.
static TirExpr *apply(Tir *tir, TirOp op, TirExpr *a, TirExpr *b) {
    const Type *type = a->type;
    Span span = a->span;
    TirScalar args[3], result;
    bool is_known = is_uniform(a, &args[0].real) && (b == NULL || is_uniform(b, &args[1].real));
    if (is_known) {
        static const Root roots[] = {ROOT_REAL, ROOT_REAL, ROOT_REAL};
        scalar_apply(op, roots, args, tir->single, &result);
        return partial_fill(tir, type, result.real, span);
    }
    if (op == OP_POW && is_number(b, 1)) {
        return a;
    }
    if (op == OP_MULZ) {
        TirExpr *product = partial_times(tir, a, b);
        return product != NULL ? product : partial_fill(tir, type, 0, span);
    }
    return map(tir, op, a, b);
}

// By that operation, where the product is not known.
static TirExpr *times(Tir *tir, TirOp op, TirExpr *a, TirExpr *b) {
    if (is_number(a, 0) || is_number(b, 0)) {
        return NULL;
    }
    if (is_number(a, 1) || is_number(b, 1)) {
        return is_number(a, 1) ? b : a;
    }
    if (is_number(a, -1) || is_number(b, -1)) {
        return map(tir, OP_NEG, is_number(a, -1) ? b : a, NULL);
    }
    return map(tir, op, a, b);
}

// A view of a constant that is finite.
static const TirExpr *finite_bottom(const TirExpr *expr) {
    const TirExpr *bottom = view_bottom(expr);
    if (bottom == NULL || bottom->kind != EXPR_CONST) {
        return NULL;
    }
    for (uint32_t i = 0; i < bottom->type->numel; i++) {
        if (!isfinite(bottom->data[i].real)) {
            return NULL;
        }
    }
    return bottom;
}

static bool is_only_ones(const TirExpr *constant) {
    for (uint32_t i = 0; i < constant->type->numel; i++) {
        if (constant->data[i].real != 0 && constant->data[i].real != 1) {
            return false;
        }
    }
    return true;
}

// Where a view of a constant is not 0.
static TirExpr *where_not_zero(Tir *tir, const TirExpr *expr) {
    const Type *bools = type_with_root(tir->types, expr->type, ROOT_BOOL);
    if (expr->kind == EXPR_VIEW) {
        return tir_view(tir, bools, where_not_zero(tir, expr->view.operand), expr->view.axes,
                        expr->span);
    }
    if (expr->kind == EXPR_RESHAPE) {
        return tir_reshape(tir, bools, where_not_zero(tir, expr->operand), expr->span);
    }
    TirScalar *data = ARENA_ARRAY(tir->arena, TirScalar, expr->type->numel);
    for (uint32_t i = 0; i < expr->type->numel; i++) {
        data[i].boolean = expr->data[i].real != 0;
    }
    return tir_const(tir, bools, data, expr->span);
}

// Of a constant, as directions are to begin with, it is known where it is 0, and of most no more
// than that is needed.
static TirExpr *times_constant(Tir *tir, TirExpr *constant, TirExpr *other) {
    bool is_mask = is_only_ones(finite_bottom(constant));
    TirExpr *where = where_not_zero(tir, constant);
    TirExpr *product = is_mask ? other : map(tir, OP_MUL, constant, other);
    return tir_map(tir, OP_SELECT, other->type, where, product,
                   partial_fill(tir, other->type, 0, other->span), other->span);
}

TirExpr *partial_times(Tir *tir, TirExpr *a, TirExpr *b) {
    bool is_first = finite_bottom(a) != NULL;
    bool is_known = is_plain(a) || is_plain(b) || is_number(a, 0) || is_number(b, 0);
    if (!is_known && (is_first || finite_bottom(b) != NULL)) {
        return times_constant(tir, is_first ? a : b, is_first ? b : a);
    }
    return times(tir, is_plain(a) || is_plain(b) ? OP_MUL : OP_MULZ, a, b);
}

TirExpr *partial_times_plain(Tir *tir, TirExpr *a, TirExpr *b) {
    return times(tir, OP_MUL, a, b);
}

TirExpr *partial_plus(Tir *tir, TirExpr *a, TirExpr *b) {
    if (a == NULL || b == NULL) {
        return a == NULL ? b : a;
    }
    bool is_less = b->kind == EXPR_MAP && b->map.op == OP_NEG;
    return map(tir, is_less ? OP_SUB : OP_ADD, a, is_less ? b->map.args[0] : b);
}

// The words of the rows.

static const double LN_2 = 0.693147180559945309417232121458;
static const double LN_10 = 2.302585092994045684017991454684;
static const double TWO_BY_SQRT_PI = 1.128379167095512573896158903122;

static TirExpr *operand_of(Partial *partial, unsigned k) {
    if (!partial->is_kept[k]) {
        partial->args[k] = partial->keep(partial->context, partial->args[k]);
        partial->is_kept[k] = true;
    }
    return partial_copy(partial->tir, partial->args[k]);
}

void partial_trap_in_order(Partial *partial) {
    for (unsigned k = 0; k < tir_op_arity(partial->map->map.op); k++) {
        if (tir_may_trap(partial->args[k])) {
            operand_of(partial, k);
        }
    }
}

static TirExpr *result_of(Partial *partial) {
    if (partial->result == NULL) {
        Tir *tir = partial->tir;
        TirExpr *node = tir_copy_node(tir, partial->map);
        for (unsigned k = 0; k < tir_op_arity(node->map.op); k++) {
            node->map.args[k] = operand_of(partial, k);
        }
        partial->result = partial->keep(partial->context, node);
    }
    return partial_copy(partial->tir, partial->result);
}

static TirExpr *sign_of(Tir *tir, TirExpr *x) {
    const Type *type = type_with_root(tir->types, x->type, ROOT_INT);
    return tir_convert(tir, ROOT_REAL, tir_map(tir, OP_SIGN, type, x, NULL, NULL, x->span),
                       x->span);
}

#define A operand_of(partial, 0)
#define B operand_of(partial, 1)
#define X A
#define Y result_of(partial)
#define C(value) partial_fill(partial->tir, partial->map->type, value, partial->map->span)
#define ADD(p, q) apply(partial->tir, OP_ADD, p, q)
#define SUB(p, q) apply(partial->tir, OP_SUB, p, q)
#define MUL(p, q) apply(partial->tir, OP_MUL, p, q)
#define MULZ(p, q) apply(partial->tir, OP_MULZ, p, q)
#define DIV(p, q) apply(partial->tir, OP_DIV, p, q)
#define POW(p, q) apply(partial->tir, OP_POW, p, q)
#define NEG(p) apply(partial->tir, OP_NEG, p, NULL)
#define COPYSIGN(p, q) apply(partial->tir, OP_COPYSIGN, p, q)
#define RINT(p) apply(partial->tir, OP_RINT, p, NULL)
#define TRUNC(p) apply(partial->tir, OP_TRUNC, p, NULL)
#define SQRT(p) apply(partial->tir, OP_SQRT, p, NULL)
#define EXP(p) apply(partial->tir, OP_EXP, p, NULL)
#define LOG(p) apply(partial->tir, OP_LOG, p, NULL)
#define SIN(p) apply(partial->tir, OP_SIN, p, NULL)
#define COS(p) apply(partial->tir, OP_COS, p, NULL)
#define SINH(p) apply(partial->tir, OP_SINH, p, NULL)
#define COSH(p) apply(partial->tir, OP_COSH, p, NULL)
#define SIGN(p) sign_of(partial->tir, p)

#define DERIVE_1(NAME, by_x)                        \
    static TirExpr *by_0_##NAME(Partial *partial) { \
        return by_x;                                \
    }
#define DERIVE_2(NAME, by_a, by_b)                  \
    static TirExpr *by_0_##NAME(Partial *partial) { \
        return by_a;                                \
    }                                               \
    static TirExpr *by_1_##NAME(Partial *partial) { \
        return by_b;                                \
    }
#define DERIVE_3(NAME, by_a, by_b, by_c)            \
    DERIVE_2(NAME, by_a, by_b)                      \
    static TirExpr *by_2_##NAME(Partial *partial) { \
        return by_c;                                \
    }
#include "tir/derive.def"

typedef TirExpr *Rule(Partial *partial);

static Rule *const rules[TIR_OPS][3] = {
#define DERIVE_1(NAME, by_x) [OP_##NAME] = {by_0_##NAME, NULL},
#define DERIVE_2(NAME, by_a, by_b) [OP_##NAME] = {by_0_##NAME, by_1_##NAME},
#define DERIVE_3(NAME, by_a, by_b, by_c) [OP_##NAME] = {by_0_##NAME, by_1_##NAME, by_2_##NAME},
#include "tir/derive.def"
};

bool partial_exists(TirOp op) {
    return rules[op][0] != NULL;
}

TirExpr *partial_by(Partial *partial, unsigned k) {
    Rule *rule = rules[partial->map->map.op][k];
    CHECK(rule != NULL);
    return rule(partial);
}

TirExpr *partial_chooses_first(Partial *partial) {
    Tir *tir = partial->tir;
    const TirExpr *map = partial->map;
    const Type *bools = type_with_root(tir->types, map->type, ROOT_BOOL);
    TirOp op = map->map.op == OP_MIN ? OP_LE : OP_GE;
    TirExpr *is_first = tir_map(tir, op, bools, A, B, NULL, map->span);
    TirExpr *is_nan = tir_map(tir, OP_ISNAN, bools, A, NULL, NULL, map->span);
    return tir_map(tir, OP_OR, bools, is_first, is_nan, NULL, map->span);
}
