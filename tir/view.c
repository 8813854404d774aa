// What a view does with the elements of its operand, read off its axes.
#include "tir/view.h"

bool view_is_constant(const TirExpr *view) {
    for (size_t k = 0; k < view->view.operand->type->flat_rank; k++) {
        if (view->view.axes[k].index != NULL) {
            return false;
        }
    }
    return true;
}

bool view_is_fixed_part(const TirExpr *expr) {
    return expr->kind == EXPR_VAR || (expr->kind == EXPR_VIEW && view_is_constant(expr) &&
                                      expr->view.operand->kind == EXPR_VAR);
}

const TirExpr *view_bottom(const TirExpr *expr) {
    while (expr->kind == EXPR_VIEW || expr->kind == EXPR_RESHAPE) {
        if (expr->kind == EXPR_VIEW && !view_is_constant(expr)) {
            return NULL;
        }
        expr = expr->kind == EXPR_VIEW ? expr->view.operand : expr->operand;
    }
    return expr;
}

bool view_keeps_rows(const TirExpr *view) {
    const Type *type = view->type;
    const Type *from = view->view.operand->type;
    int32_t last = (int32_t)type->flat_rank - 1;
    for (uint32_t k = 0; k < from->flat_rank; k++) {
        const TirAxis *axis = &view->view.axes[k];
        bool moves = axis->index == NULL && axis->axis >= 0 && axis->axis == last &&
                     axis->step != 0 && type->dims[last] > 1;
        if (moves && (k + 1 != from->flat_rank || axis->step != 1)) {
            return false;
        }
    }
    return true;
}

// Which dim of its operand a view moves along each axis of its result: -1 none.
static void axis_dims(const TirExpr *view, int32_t *dims) {
    for (int32_t axis = 0; axis < view->type->flat_rank; axis++) {
        dims[axis] = -1;
    }
    for (int32_t i = 0; i < view->view.operand->type->flat_rank; i++) {
        const TirAxis *axis = &view->view.axes[i];
        if (axis->index == NULL && axis->axis >= 0 && axis->step != 0) {
            dims[axis->axis] = i;
        }
    }
}

bool view_repeats(const TirExpr *view) {
    int32_t dims[TYPE_FLAT_LIMIT];
    axis_dims(view, dims);
    for (int32_t axis = 0; axis < view->type->flat_rank; axis++) {
        if (dims[axis] < 0 && view->type->dims[axis] > 1) {
            return true;
        }
    }
    return false;
}

bool view_drops(const TirExpr *view) {
    int32_t dims[TYPE_FLAT_LIMIT];
    axis_dims(view, dims);
    const Type *from = view->view.operand->type;
    for (int32_t i = 0; i < from->flat_rank; i++) {
        const TirAxis *axis = &view->view.axes[i];
        bool whole = axis->index == NULL && axis->axis >= 0 && dims[axis->axis] == i &&
                     view->type->dims[axis->axis] == from->dims[i];
        if (from->dims[i] > 1 && !whole) {
            return true;
        }
    }
    return false;
}

bool view_element(const TirExpr *view, size_t *element) {
    const Type *type = view->view.operand->type;
    *element = 0;
    for (size_t k = 0; k < type->flat_rank; k++) {
        const TirAxis *axis = &view->view.axes[k];
        if (axis->axis >= 0 || axis->index != NULL || axis->start < 0 ||
            axis->start >= type->dims[k]) {
            return false;
        }
        *element = *element * type->dims[k] + (size_t)axis->start;
    }
    return true;
}

const TirExpr *reshape_skip(const TirExpr *expr) {
    while (expr->kind == EXPR_RESHAPE) {
        expr = expr->operand;
    }
    return expr;
}

bool reshape_is_of_levels(const TirExpr *reshape) {
    return type_same_dims(reshape->type, reshape->operand->type);
}

const TirExpr *reshape_skip_levels(const TirExpr *expr) {
    while (expr->kind == EXPR_RESHAPE && reshape_is_of_levels(expr)) {
        expr = expr->operand;
    }
    return expr;
}
