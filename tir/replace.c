#include "tir/replace.h"

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
    tir_visit_exprs(stmt, replace, &(Replacement){tir, var, value});
    TirBlock *nested[2];
    for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
        for (size_t i = 0; i < nested[k]->count; i++) {
            tir_replace_in(tir, nested[k]->items[i], var, value);
        }
    }
}
