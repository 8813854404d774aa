#include "tir/replace.h"

#include "tir/constant.h"
#include "tir/uses.h"
#include "tir/visit.h"

typedef struct Replacement {
    Tir *tir;
    const TirVar *var;
    TirExpr *value;
} Replacement;

static void replace(TirExpr **operand, void *data) {
    const Replacement *replacement = data;
    if ((*operand)->kind == EXPR_VAR && (*operand)->var == replacement->var) {
        *operand = replacement->value;
        return;
    }
    if (tir_expr_reads(*operand, replacement->var) == 0) {
        return;
    }
    TirExpr *copy = tir_copy_node(replacement->tir, *operand);
    tir_visit_operands(copy, replace, data);
    if (copy->kind == EXPR_VIEW) {
        copy =
            tir_view(replacement->tir, copy->type, copy->view.operand, copy->view.axes, copy->span);
    }
    *operand = copy;
}

void tir_replace(Tir *tir, TirExpr **expr, const TirVar *var, TirExpr *value) {
    replace(expr, &(Replacement){tir, var, value});
}

void tir_replace_in(Tir *tir, TirStmt *stmt, const TirVar *var, TirExpr *value) {
    tir_visit_exprs_in(&(TirBlock){.items = &stmt, .count = 1}, replace,
                       &(Replacement){tir, var, value});
}

// Indices that are constants now, and inside.
static void settle_indices(Tir *tir, TirExpr *view) {
    for (size_t k = 0; k < view->view.operand->type->flat_rank; k++) {
        TirAxis *axis = &view->view.axes[k];
        int64_t at;
        if (axis->index != NULL && constant_integer(tir, axis->index, &at) && at >= 0 &&
            at < view->view.operand->type->dims[k]) {
            *axis = (TirAxis){.axis = -1, .start = at, .span = axis->span};
        }
    }
}

static void put(TirExpr **operand, void *data) {
    const Replacement *replacement = data;
    Tir *tir = replacement->tir;
    if ((*operand)->kind == EXPR_VAR && (*operand)->var == replacement->var) {
        *operand = replacement->value;
        return;
    }
    if (tir_expr_reads(*operand, replacement->var) == 0) {
        return;
    }
    TirExpr *copy = tir_copy_node(tir, *operand);
    tir_visit_operands(copy, put, data);
    if (copy->kind == EXPR_MAP) {
        TirExpr **args = copy->map.args;
        unsigned arity = tir_op_arity(copy->map.op);
        copy = tir_map(tir, copy->map.op, copy->type, args[0], arity > 1 ? args[1] : NULL,
                       arity > 2 ? args[2] : NULL, copy->span);
    } else if (copy->kind == EXPR_CONVERT) {
        copy = tir_convert_as(tir, copy, copy->operand);
    } else if (copy->kind == EXPR_VIEW) {
        settle_indices(tir, copy);
        copy = tir_view(tir, copy->type, copy->view.operand, copy->view.axes, copy->span);
    }
    bool is_element = copy->kind == EXPR_VIEW && copy->view.operand->kind == EXPR_CONST;
    bool is_known = copy->type->root != ROOT_REAL || copy->kind == EXPR_CONVERT || is_element;
    *operand = is_known && type_is_scalar(copy->type) ? constant_fold(tir, copy) : copy;
}

void tir_put(Tir *tir, TirExpr **expr, const TirVar *var, TirExpr *value) {
    put(expr, &(Replacement){tir, var, value});
}

void tir_put_in(Tir *tir, TirStmt *stmt, const TirVar *var, TirExpr *value) {
    tir_visit_exprs_in(&(TirBlock){.items = &stmt, .count = 1}, put,
                       &(Replacement){tir, var, value});
}
