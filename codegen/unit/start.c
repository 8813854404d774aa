// The state is zeroed before it is set up, so a variable whose first value is zero has it already.
#include "codegen/unit/start.h"

#include "codegen/plan/plan.h"
#include "support/table.h"
#include "tir/uses.h"

bool start_is(const Gen *gen, const TirFunction *function) {
    return gen->is_embedded && function == gen->program->init;
}

// A variable of this file's own state. What instances have is set up by functions of their own.
static bool is_own_state(const TirExpr *place) {
    return place->kind == EXPR_VAR && place->var->storage == STORAGE_STATE &&
           place->var->role == VAR_GLOBAL && place->var->instance == NULL;
}

static void note_written(Gen *gen, TirStmt *stmt, Table *written) {
    const TirVar *var;
    for (size_t k = 0; (var = tir_stmt_written(stmt, k)) != NULL; k++) {
        table_set(gen->arena, written, var, stmt);
    }
}

// Up to the first statement that may write what it does not name. Tests and instances begin with a
// state that is not zeroed here.
void start_leave_out(Gen *gen, const TirFunction *function) {
    Table written = {0};
    bool is_zeroed = start_is(gen, function) && gen->program->symbol == NULL &&
                     !gen->program->is_tested && !gen->options->debug;
    for (size_t i = 0; is_zeroed && i < function->body.count; i++) {
        TirStmt *stmt = function->body.items[i];
        if (stmt->kind != STMT_SET) {
            return;
        }
        const TirExpr *place = stmt->set.place;
        if (is_own_state(place) && plan_is_zero_fill(stmt->set.value) &&
            table_get(&written, place->var) == NULL) {
            table_set(gen->arena, &gen->left_out, stmt, stmt);
        }
        note_written(gen, stmt, &written);
    }
}
