#include "codegen/plan/wrap.h"

#include "codegen/plan/limits.h"
#include "support/number.h"
#include "tir/visit.h"

WrapPlan wrap_rows(const Type *type, size_t split, size_t outer, unsigned lanes) {
    uint32_t period = 1;
    for (size_t k = split; k < type->flat_rank; k++) {
        period *= type->dims[k];
    }
    bool is_several = split + 1 < type->flat_rank && type->dims[type->flat_rank - 1] < lanes;
    uint32_t below = is_several ? WRAP_ALL_VECTORS_BELOW : WRAP_VECTORS_BELOW;
    bool is_aligned = period % lanes == 0 && !is_several;
    if (period == 1 || period >= below * lanes || is_aligned) {
        return (WrapPlan){0};
    }
    uint32_t divisor = (uint32_t)number_common_divisor(period, lanes);
    return (WrapPlan){split, period, lanes / divisor, period / divisor, outer};
}

static bool view_wraps(const TirExpr *view, size_t split, size_t outer) {
    const TirExpr *operand = view->view.operand;
    if (operand->kind != EXPR_VAR && operand->kind != EXPR_CONST) {
        return false;
    }
    for (size_t k = 0; k < operand->type->flat_rank; k++) {
        const TirAxis *axis = &view->view.axes[k];
        bool moves = axis->axis >= 0 && axis->step != 0;
        bool is_row_number = split - outer == 1; // of one dim
        if (moves && (size_t)axis->axis >= outer && (size_t)axis->axis < split && !is_row_number) {
            return false;
        }
    }
    return true;
}

typedef struct Operands {
    size_t split, outer;
    bool all;
} Operands;

static void and_wraps(const TirExpr *operand, void *data) {
    Operands *operands = data;
    operands->all = operands->all && element_wraps(operand, operands->split, operands->outer);
}

bool element_wraps(const TirExpr *expr, size_t split, size_t outer) {
    switch (expr->kind) {
    case EXPR_CONST:
    case EXPR_VAR: return true;
    case EXPR_VIEW: return view_wraps(expr, split, outer);
    case EXPR_MAP:
    case EXPR_CONVERT: break;
    case EXPR_IOTA:
    case EXPR_RESHAPE:
    case EXPR_LITERAL:
    case EXPR_CONCAT:
    case EXPR_REDUCE:
    case EXPR_CUMSUM:
    case EXPR_DOT: return false;
    }
    Operands operands = {split, outer, true};
    tir_read_operands(expr, and_wraps, &operands);
    return operands.all;
}
