// Calls are equal when their arguments are the same variables and constants, which nothing between
// them writes.
#include "tir/derive/share.h"

#include "tir/clone.h"
#include "tir/uses.h"
#include "tir/visit.h"

#include <string.h>

// The call that is all that the function does; NULL: it does more.
static const TirStmt *only_call(const TirFunction *function) {
    const TirBlock *body = &function->body;
    if (body->count < 2 || function->results.count != 1) {
        return NULL;
    }
    const TirStmt *call = body->items[0], *set = body->items[1];
    bool is_only = call->kind == STMT_CALL && call->call.derivative == NULL &&
                   call->call.function->instance == NULL && call->call.results.count == 1 &&
                   tir_sets_var(set, function->results.items[0]) &&
                   set->set.value->kind == EXPR_VAR &&
                   set->set.value->var == call->call.results.items[0] &&
                   (body->count == 2 || (body->count == 3 && body->items[2]->kind == STMT_RETURN));
    return is_only && !call->call.function->reads_globals ? call : NULL;
}

static bool is_same(const TirExpr *a, const TirExpr *b) {
    if (a->kind != b->kind || a->type != b->type) {
        return false;
    }
    return (a->kind == EXPR_VAR && a->var == b->var) ||
           (a->kind == EXPR_CONST &&
            memcmp(a->data, b->data, a->type->numel * sizeof *a->data) == 0);
}

// Whether `stmt` calls what the function of the marked call does, with the same arguments.
static bool is_equal(const TirStmt *marked, const TirStmt *inner, const TirStmt *stmt) {
    if (stmt->kind != STMT_CALL || stmt->call.derivative != NULL ||
        stmt->call.function != inner->call.function) {
        return false;
    }
    const TirFunction *function = marked->call.function;
    for (size_t k = 0; k < inner->call.arg_count; k++) {
        const TirExpr *arg = inner->call.args[k];
        for (size_t p = 0; p < function->param_count && arg->kind == EXPR_VAR; p++) {
            if (function->params[p] == arg->var) {
                arg = marked->call.args[p];
                break;
            }
        }
        bool is_value = inner->call.function->params[k]->role == VAR_PARAM;
        if (!is_value || !is_same(arg, stmt->call.args[k])) {
            return false;
        }
    }
    return true;
}

// Whether statements from `first` to before `last` leave alone what the call reads.
static bool is_left_alone(const TirBlock *block, size_t first, size_t last, const TirStmt *marked) {
    const TirExpr *along = marked->call.derivative->along;
    for (size_t i = first; i < last; i++) {
        TirStmt *stmt = block->items[i];
        bool writes = along != NULL && tir_stmt_writes_operand(stmt, along);
        for (size_t k = 0; k < marked->call.arg_count && !writes; k++) {
            writes = tir_stmt_writes_operand(stmt, marked->call.args[k]);
        }
        if (writes) {
            return false;
        }
    }
    return true;
}

// Whether what is asked for may trap: it moves up to the call before.
static bool moves_trap(const TirStmt *marked) {
    const TirExpr *along = marked->call.derivative->along;
    return along != NULL && tir_may_trap(along);
}

Table share_values(Tir *tir, TirFunction *caller, TirBlock *block) {
    Table values = {0};
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *marked = block->items[i];
        bool is_marked = marked->kind == STMT_CALL && marked->call.derivative != NULL;
        const TirStmt *inner = is_marked ? only_call(marked->call.function) : NULL;
        for (size_t j = 0; inner != NULL && j < block->count; j++) {
            TirStmt *stmt = block->items[j];
            if (!is_equal(marked, inner, stmt) || moves_trap(marked) ||
                table_get(&values, stmt) != NULL ||
                !is_left_alone(block, i < j ? i : j, i < j ? j : i, marked)) {
                continue;
            }
            TirVar *value = tir_var_create(tir, caller, VAR_TEMP, NULL,
                                           stmt->call.results.items[0]->type, stmt->span);
            table_set(tir->arena, &values, marked, value);
            table_set(tir->arena, &values, stmt, value);
            marked->call.function->is_shared = true;
            for (size_t k = i; k > j; k--) {
                block->items[k] = block->items[k - 1];
            }
            block->items[i < j ? i : j] = marked;
            break;
        }
    }
    return values;
}
