#include "codegen/unit/lookups.h"

#include "support/table.h"
#include "tir/visit.h"

typedef struct Search {
    Gen *gen;
    Table counters; // variables of loops, each with itself
    Table seen;     // functions, each with itself
} Search;

static bool is_computed(const TirExpr *index, const void *counters) {
    return index->kind == EXPR_VAR && table_get(counters, index->var) == NULL;
}

static bool is_lookup(const TirExpr *expr, const void *counters) {
    for (size_t k = 0; expr->kind == EXPR_VIEW && k < expr->view.operand->type->flat_rank; k++) {
        const TirExpr *index = expr->view.axes[k].index;
        if (index != NULL && tir_any_expr(index, is_computed, counters)) {
            return true;
        }
    }
    return false;
}

static bool function_looks_up(Search *search, const TirFunction *function);

static bool looks_up(TirStmt *stmt, void *data) {
    Search *search = data;
    if (stmt->kind == STMT_FOR) {
        const TirVar *counter = stmt->for_loop.var;
        table_set(search->gen->arena, &search->counters, counter, stmt->for_loop.var);
    }
    return tir_any_expr_of(stmt, is_lookup, &search->counters) ||
           (stmt->kind == STMT_CALL && function_looks_up(search, stmt->call.function));
}

static bool function_looks_up(Search *search, const TirFunction *function) {
    if (function == NULL || table_get(&search->seen, function) != NULL) {
        return false;
    }
    table_set(search->gen->arena, &search->seen, function, (void *)function);
    return tir_any_stmt(&function->body, looks_up, search);
}

bool lookups_in_step(Gen *gen) {
    Search search = {.gen = gen};
    return function_looks_up(&search, gen->program->output) ||
           function_looks_up(&search, gen->program->update);
}
