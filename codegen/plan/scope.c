#include "codegen/plan/scope.h"

#include "tir/visit.h"

static void note_reads(const TirExpr *expr, void *data) {
    PlanScope *scope = data;
    if (expr->kind == EXPR_VAR) {
        table_set(scope->arena, &scope->reads, expr->var, expr->var);
    }
    tir_read_operands(expr, note_reads, scope);
}

// The indices of a place are read, the variable at its bottom is not.
static void note_place(PlanScope *scope, const TirExpr *place) {
    while (place->kind != EXPR_VAR) {
        const TirExpr *below = place->kind == EXPR_VIEW ? place->view.operand : place->operand;
        for (size_t k = 0; place->kind == EXPR_VIEW && k < below->type->flat_rank; k++) {
            if (place->view.axes[k].index != NULL) {
                note_reads(place->view.axes[k].index, scope);
            }
        }
        place = below;
    }
}

static void note_block(PlanScope *scope, const TirBlock *block) {
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        if (stmt->kind == STMT_SET) {
            note_place(scope, stmt->set.place);
            note_reads(stmt->set.value, scope);
        } else {
            tir_read_exprs(stmt, note_reads, scope);
        }
        TirBlock *blocks[2];
        size_t count = tir_stmt_blocks(stmt, blocks);
        for (size_t k = 0; k < count; k++) {
            note_block(scope, blocks[k]);
        }
    }
}

bool scope_reads(PlanScope *scope, const TirFunction *function, const TirVar *var) {
    if (scope->function != function) {
        scope->function = function;
        table_clear(&scope->reads);
        note_block(scope, &function->body);
    }
    return table_get(&scope->reads, var) != NULL;
}
