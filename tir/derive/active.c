// A walk over the statements of a function, again and again until nothing is added: the order of
// statements and which branches run do not count. Calls ask the same of what they call, which is
// finite as there is no recursion.
#include "tir/derive/active.h"

#include "tir/derive/partial.h"
#include "tir/visit.h"

static bool map_is_active(const Active *active, const TirExpr *expr) {
    TirOp op = expr->map.op;
    bool chooses = op == OP_MIN || op == OP_MAX || op == OP_SELECT;
    if (expr->type->root != ROOT_REAL || !(chooses || partial_exists(op))) {
        return false;
    }
    for (unsigned k = op == OP_SELECT ? 1 : 0; k < tir_op_arity(op); k++) {
        if (active_expr(active, expr->map.args[k])) {
            return true;
        }
    }
    return false;
}

static bool any_is_active(const Active *active, TirExpr *const *items, size_t count) {
    for (size_t k = 0; k < count; k++) {
        if (active_expr(active, items[k])) {
            return true;
        }
    }
    return false;
}

bool active_expr(const Active *active, const TirExpr *expr) {
    if (expr->type->root != ROOT_REAL) {
        return false;
    }
    switch (expr->kind) {
    case EXPR_CONST:
    case EXPR_IOTA:
    case EXPR_CONVERT: return false; // of an integer or bool
    case EXPR_VAR: return !tir_var_is_global(expr->var) && active->vars[expr->var->id];
    case EXPR_MAP: return map_is_active(active, expr);
    case EXPR_VIEW: return active_expr(active, expr->view.operand);
    case EXPR_RESHAPE:
    case EXPR_CUMSUM: return active_expr(active, expr->operand);
    case EXPR_LITERAL: return any_is_active(active, expr->literal.items, expr->literal.count);
    case EXPR_CONCAT: return any_is_active(active, expr->concat.items, expr->concat.count);
    case EXPR_REDUCE: return active_expr(active, expr->reduce.operand);
    case EXPR_DOT:
        return active_expr(active, expr->dot.left) || active_expr(active, expr->dot.right);
    }
    return false;
}

// Of a function whose first parameters are given the arguments of the call.
static const Active *active_given(Actives *actives, const Active *active, const TirStmt *call,
                                  const TirFunction *function) {
    bool *by = ARENA_ARRAY(actives->tir->arena, bool, function->param_count + 1);
    for (size_t k = 0; k < call->call.arg_count; k++) {
        by[k] = active_expr(active, call->call.args[k]);
    }
    return active_in(actives, function, by);
}

const Active *active_of_statements(Actives *actives, const Active *active, const TirStmt *call) {
    return active_given(actives, active, call, call->call.function);
}

const Active *active_callee(Actives *actives, const Active *active, const TirStmt *call) {
    const TirFunction *function = call->call.function;
    bool has_slope = function->rule != NULL && function->rule->slope != NULL;
    return active_given(actives, active, call, has_slope ? function->rule->slope : function);
}

bool active_param(const Active *active, size_t k) {
    return active->vars[active->function->params[k]->id];
}

bool active_result(const Active *active, size_t k) {
    const TirFunction *function = active->function;
    return k < function->results.count && active->vars[function->results.items[k]->id];
}

// Whether it was not.
static bool activate(const Active *active, const TirVar *var) {
    bool is_new = var->type->root == ROOT_REAL && !tir_var_is_global(var) && !active->vars[var->id];
    if (is_new) {
        active->vars[var->id] = true;
    }
    return is_new;
}

static bool walk_call(Actives *actives, const Active *active, const TirStmt *call) {
    const TirFunction *function = call->call.function;
    const Active *inner = active_callee(actives, active, call);
    bool is_more = false;
    for (size_t k = 0; k < function->results.count; k++) {
        if (active_result(inner, k)) {
            is_more |= activate(active, call->call.results.items[k]);
        }
    }
    for (size_t k = 0; k < function->param_count; k++) {
        if (function->params[k]->role == VAR_INOUT && active_param(inner, k)) {
            is_more |= activate(active, call->call.args[k]->var);
        }
    }
    return is_more;
}

static bool walk_block(Actives *actives, const Active *active, const TirBlock *block) {
    bool is_more = false;
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        if (stmt->kind == STMT_SET && active_expr(active, stmt->set.value)) {
            is_more |= activate(active, tir_place_var(stmt->set.place));
        } else if (stmt->kind == STMT_CALL) {
            is_more |= walk_call(actives, active, stmt);
        }
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            is_more |= walk_block(actives, active, nested[k]);
        }
    }
    return is_more;
}

// The parameters that were asked for are those that are active, and in-out ones beside them.
static bool is_answer(const Active *active, const TirFunction *function, const bool *by) {
    for (size_t k = 0; k < function->param_count; k++) {
        const TirVar *param = function->params[k];
        bool is_active = active->vars[param->id];
        if (by[k] != is_active && !(is_active && param->role == VAR_INOUT)) {
            return false;
        }
    }
    return active->function == function;
}

const Active *active_in(Actives *actives, const TirFunction *function, const bool *by) {
    for (size_t k = 0; k < actives->known.count; k++) {
        const Active *known = actives->known.items[k];
        if (known->function == function && is_answer(known, function, by)) {
            return known;
        }
    }
    Active *active = ARENA_NEW(actives->tir->arena, Active);
    active->function = function;
    active->vars = ARENA_ARRAY(actives->tir->arena, bool, function->vars.count + 1);
    for (size_t k = 0; k < function->param_count; k++) {
        active->vars[function->params[k]->id] = by[k];
    }
    while (walk_block(actives, active, &function->body)) {
    }
    LIST_PUSH(actives->tir->arena, &actives->known, active);
    return active;
}
