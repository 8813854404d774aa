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

bool scope_reads(PlanScope *scope, const TirFunction *function, const TirVar *var) {
    if (scope->function != function) {
        scope->function = function;
        table_clear(&scope->reads);
        tir_read_values_in(&function->body, note_reads, scope);
    }
    return table_get(&scope->reads, var) != NULL;
}
