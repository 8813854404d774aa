#include "tir/same.h"

#include "support/bug.h"
#include "tir/uses.h"
#include "tir/visit.h"

#include <string.h>

static uint64_t bits_of(double real) {
    uint64_t bits;
    memcpy(&bits, &real, sizeof(bits));
    return bits;
}

bool tir_same_scalar(Root root, TirScalar a, TirScalar b) {
    switch (root) {
    case ROOT_BOOL: return a.boolean == b.boolean;
    case ROOT_UINT: return a.uint == b.uint;
    case ROOT_INT: return a.integer == b.integer;
    case ROOT_REAL: return bits_of(a.real) == bits_of(b.real);
    case ROOT_CHAR:
    case ROOT_STR: return false;
    }
    UNREACHABLE();
}

bool tir_axes_agree(const TirAxis *a, const TirAxis *b) {
    if (a->axis != b->axis || a->step != b->step || (a->index == NULL) != (b->index == NULL)) {
        return false;
    }
    return a->index == NULL ? a->start == b->start : tir_same_value(a->index, b->index);
}

static bool same_view(const TirExpr *a, const TirExpr *b) {
    for (size_t k = 0; k < a->view.operand->type->flat_rank; k++) {
        if (!tir_axes_agree(&a->view.axes[k], &b->view.axes[k])) {
            return false;
        }
    }
    return true;
}

static bool same_map(const TirExpr *a, const TirExpr *b) {
    if (a->map.op != b->map.op || a->map.is_natural != b->map.is_natural) {
        return false;
    }
    for (unsigned i = 0; i < tir_op_arity(a->map.op); i++) {
        if (!tir_same_value(a->map.args[i], b->map.args[i])) {
            return false;
        }
    }
    return true;
}

static bool same_constant(const TirExpr *a, const TirExpr *b) {
    for (uint64_t i = 0; a->data != b->data && i < a->type->numel; i++) {
        if (!tir_same_scalar(a->type->root, a->data[i], b->data[i])) {
            return false;
        }
    }
    return true;
}

bool tir_same_value(const TirExpr *a, const TirExpr *b) {
    if (a->kind != b->kind || a->type != b->type) {
        return false;
    }
    switch (a->kind) {
    case EXPR_VAR: return a->var == b->var;
    case EXPR_CONST: return same_constant(a, b);
    case EXPR_MAP: return same_map(a, b);
    case EXPR_CONVERT: return a->is_small == b->is_small && tir_same_value(a->operand, b->operand);
    case EXPR_RESHAPE: return tir_same_value(a->operand, b->operand);
    case EXPR_VIEW: return tir_same_value(a->view.operand, b->view.operand) && same_view(a, b);
    case EXPR_REDUCE:
        return a->reduce.op == b->reduce.op && a->reduce.axis == b->reduce.axis &&
               a->reduce.axis_count == b->reduce.axis_count &&
               tir_same_value(a->reduce.operand, b->reduce.operand);
    case EXPR_CUMSUM: return tir_same_value(a->operand, b->operand);
    case EXPR_DOT:
        return tir_same_value(a->dot.left, b->dot.left) &&
               tir_same_value(a->dot.right, b->dot.right);
    case EXPR_IOTA: return true;
    case EXPR_LITERAL:
    case EXPR_CONCAT: return false;
    }
    UNREACHABLE();
}

typedef struct Others {
    const TirExpr *place;
    bool any;
} Others;

static void find_other(const TirExpr *expr, void *data) {
    Others *others = data;
    if (expr->kind == EXPR_VIEW && tir_same_value(expr, others->place)) {
        return;
    }
    others->any =
        others->any || (expr->kind == EXPR_VAR && expr->var == tir_place_var(others->place));
    tir_read_operands(expr, find_other, data);
}

bool tir_reads_only(const TirBlock *block, const TirExpr *place) {
    Others others = {.place = place};
    tir_read_values_in(block, find_other, &others);
    return !others.any;
}
