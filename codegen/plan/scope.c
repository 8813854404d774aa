#include "codegen/plan/scope.h"

#include "tir/uses.h"
#include "tir/visit.h"

static void note_reads(const TirExpr *expr, void *data) {
    PlanScope *scope = data;
    if (expr->kind == EXPR_VAR) {
        table_set(scope->arena, &scope->reads, expr->var, expr->var);
    }
    tir_read_operands(expr, note_reads, scope);
}

static void note_block(PlanScope *scope, const TirBlock *block) {
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        tir_read_values(stmt, note_reads, scope);
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
