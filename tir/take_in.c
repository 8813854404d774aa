// Parameters become variables that are set to the arguments, or what is passed by reference itself;
// results are the caller's variables where they can be.
#include "tir/take_in.h"

#include "tir/clone.h"
#include "tir/returns.h"
#include "tir/visit.h"

static void measure(TirStmt *stmt, void *data) {
    TirBody *body = data;
    body->statements++;
    body->has_loops = body->has_loops || stmt->kind == STMT_FOR || stmt->kind == STMT_WHILE;
    body->stays = body->stays || stmt->kind == STMT_INPUT || stmt->kind == STMT_OUTPUT ||
                  stmt->kind == STMT_NEST;
}

TirBody tir_body_of(TirFunction *function) {
    TirBody body = {.stays = !tir_returns_branch(&function->body)};
    tir_visit_stmts(&function->body, measure, &body);
    return body;
}

// The callee may read a variable of the program while it writes its result.
static bool is_direct(const TirFunction *callee, const TirVar *inner, const TirVar *result) {
    return result->type == inner->type &&
           !(tir_var_is_global(result) && (callee->reads_globals || callee->writes_globals));
}

// What the caller has for a parameter or result of the callee itself: no variable of its own is
// needed then. Else NULL.
static TirVar *own_place(const TirStmt *call, const TirVar *inner) {
    const TirFunction *callee = call->call.function;
    for (size_t i = 0; i < callee->results.count; i++) {
        TirVar *result = call->call.results.items[i];
        if (callee->results.items[i] == inner && is_direct(callee, inner, result)) {
            return result;
        }
    }
    for (size_t i = 0; inner->role == VAR_INOUT && i < callee->param_count; i++) {
        if (callee->params[i] == inner) {
            return call->call.args[i]->var;
        }
    }
    return NULL;
}

void tir_take_in(Tir *tir, TirFunction *caller, const TirStmt *call, bool keeps_names,
                 TirBlock *out) {
    const TirFunction *callee = call->call.function;
    TirVar **vars = ARENA_ARRAY(tir->arena, TirVar *, callee->vars.count + 1);
    for (size_t i = 0; i < callee->vars.count; i++) {
        const TirVar *var = callee->vars.items[i];
        TirVarRole inner = keeps_names && var->name != NULL ? VAR_LOCAL : VAR_TEMP;
        TirVarRole role = var->role == VAR_LOOP ? VAR_LOOP : inner;
        Name name = keeps_names ? var->name : NULL;
        TirVar *own = own_place(call, var);
        vars[i] = own != NULL ? own : tir_var_create(tir, caller, role, name, var->type, var->span);
    }
    for (size_t i = 0; i < callee->param_count; i++) {
        TirExpr *arg = call->call.args[i];
        TirVar *param = vars[callee->params[i]->id];
        if (callee->params[i]->role == VAR_INOUT) {
            continue;
        }
        tir_set_var(tir, out, param, arg, arg->span);
    }
    TirBlock body = {0};
    clone_block(&(TirClone){tir, vars}, &callee->body, &body);
    tir_without_returns(tir, &body);
    tir_append(tir, out, &body);
    for (size_t i = 0; i < callee->results.count; i++) {
        TirVar *inner = vars[callee->results.items[i]->id];
        TirVar *result = call->call.results.items[i];
        if (inner != result) {
            tir_set_var(tir, out, result, tir_read(tir, inner, call->span), call->span);
        }
    }
}
