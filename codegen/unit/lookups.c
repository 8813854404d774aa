#include "codegen/unit/lookups.h"

#include "support/table.h"
#include "tir/visit.h"

typedef struct Search {
    Gen *gen;
    Table counters; // variables of loops, each with itself
    Table seen;     // functions, each with itself
    bool found;
} Search;

static void see_index(const TirExpr *index, void *data) {
    Search *search = data;
    search->found |= index->kind == EXPR_VAR && table_get(&search->counters, index->var) == NULL;
    tir_read_operands(index, see_index, data);
}

static void see_expr(const TirExpr *expr, void *data) {
    Search *search = data;
    for (size_t k = 0; expr->kind == EXPR_VIEW && k < expr->view.operand->type->flat_rank; k++) {
        if (expr->view.axes[k].index != NULL) {
            see_index(expr->view.axes[k].index, search);
        }
    }
    tir_read_operands(expr, see_expr, data);
}

static void see_function(Search *search, const TirFunction *function);

static bool see_stmt(TirStmt *stmt, void *data) {
    Search *search = data;
    if (stmt->kind == STMT_FOR) {
        const TirVar *counter = stmt->for_loop.var;
        table_set(search->gen->arena, &search->counters, counter, stmt->for_loop.var);
    }
    if (stmt->kind == STMT_CALL) {
        see_function(search, stmt->call.function);
    }
    tir_read_exprs(stmt, see_expr, search);
    return search->found;
}

static void see_function(Search *search, const TirFunction *function) {
    if (function == NULL || table_get(&search->seen, function) != NULL) {
        return;
    }
    table_set(search->gen->arena, &search->seen, function, (void *)function);
    tir_any_stmt(&function->body, see_stmt, search);
}

bool lookups_in_step(Gen *gen) {
    Search search = {.gen = gen};
    see_function(&search, gen->program->output);
    see_function(&search, gen->program->update);
    return search.found;
}
