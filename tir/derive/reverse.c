// Ahead the statements of the function run, and what back needs of a value is kept in a variable.
// Of a loop a log keeps, turn by turn, what the turn finds of the one before; back each turn is run
// again from there, keeping the values inside of it in ordinary variables. So a value inside a loop
// costs nothing per turn, and a loop inside a turn has a log that all turns share. See Griewank and
// Walther, Evaluating Derivatives, 2nd edition, chapters 3 and 12.
//
// Reads any valid TIR without nests and effects, in which no call asks for derivatives.
#include "tir/derive/maker.h"

#include "support/bug.h"
#include "tir/derive/partial.h"
#include "tir/derive/straight.h"
#include "tir/derive/tidy.h"
#include "tir/derive/turns.h"
#include "tir/uses.h"
#include "tir/visit.h"

// Whether there is one.

static const Obstacle *obstacle_in(Reverse *reverse, const Active *active, const TirBlock *block,
                                   bool is_whole);

static const Obstacle *endless(Reverse *reverse, const TirStmt *loop) {
    Obstacle *obstacle = ARENA_NEW(reverse->forward->tir->arena, Obstacle);
    obstacle->loop = loop->span;
    return obstacle;
}

// NULL: it has a reverse derivative.
static const Obstacle *obstacle_of(Reverse *reverse, const Active *active, TirStmt *stmt) {
    int64_t first, step;
    uint32_t count;
    switch (stmt->kind) {
    case STMT_CALL: {
        const TirRule *rule = stmt->call.function->rule;
        const Active *inner = active_callee(&reverse->forward->actives, active, stmt);
        bool has_adjoint = rule != NULL && rule->adjoint != NULL;
        return turns_are_active(active, stmt) && !has_adjoint
                   ? reverse_function(reverse, inner)->obstacle
                   : NULL;
    }
    case STMT_IF: {
        const Obstacle *then = obstacle_in(reverse, active, &stmt->branch.then, false);
        return then != NULL ? then : obstacle_in(reverse, active, &stmt->branch.otherwise, false);
    }
    case STMT_FOR:
        return turns_of(reverse->forward->tir, stmt, &first, &step, &count)
                   ? obstacle_in(reverse, active, &stmt->for_loop.body, false)
                   : endless(reverse, stmt);
    case STMT_SET: return NULL;
    case STMT_WHILE: return endless(reverse, stmt);
    case STMT_BREAK:
    case STMT_CONTINUE:
    case STMT_RETURN:
    case STMT_NEST:
    case STMT_PRINT:
    case STMT_INPUT:
    case STMT_OUTPUT:
    case STMT_ASSERT: break; // none are left where something changes
    }
    UNREACHABLE();
}

// Whether it has a jump out of it: `loops` are around it that end one.
static bool jumps(TirStmt *stmt, unsigned loops) {
    if (stmt->kind == STMT_RETURN ||
        ((stmt->kind == STMT_BREAK || stmt->kind == STMT_CONTINUE) && loops == 0)) {
        return true;
    }
    loops += stmt->kind == STMT_FOR || stmt->kind == STMT_WHILE;
    TirBlock *nested[2];
    for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
        for (size_t i = 0; i < nested[k]->count; i++) {
            if (jumps(nested[k]->items[i], loops)) {
                return true;
            }
        }
    }
    return false;
}

static const Obstacle *obstacle_in(Reverse *reverse, const Active *active, const TirBlock *block,
                                   bool is_whole) {
    const Obstacle *obstacle = NULL;
    for (size_t i = 0; i < block->count && obstacle == NULL; i++) {
        TirStmt *stmt = block->items[i];
        bool is_end = is_whole && i + 1 == block->count && stmt->kind == STMT_RETURN;
        bool is_plain = !turns_are_active(active, stmt) && !jumps(stmt, 0);
        obstacle = is_end || is_plain ? NULL : obstacle_of(reverse, active, stmt);
    }
    return obstacle;
}

// The first `while` with a `return` in it.
static const Obstacle *returning_while(Reverse *reverse, const TirBlock *block) {
    const Obstacle *found = NULL;
    for (size_t i = 0; i < block->count && found == NULL; i++) {
        TirStmt *stmt = block->items[i];
        if (stmt->kind == STMT_WHILE && jumps(stmt, 0)) {
            return endless(reverse, stmt);
        }
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0 && found == NULL;) {
            found = returning_while(reverse, nested[k]);
        }
    }
    return found;
}

// Variables.

static Name name_of_adjoint(Tir *tir, const TirVar *var) {
    return var->name == NULL
               ? NULL
               : names_intern_text(tir->names, arena_format(tir->arena, "%s.r", var->name->text));
}

static TirVar *new_adjoint(Maker *maker, const TirVar *var, TirVarRole role) {
    TirVar *adjoint = tir_var_create(maker->tir, maker->sweep.function, role,
                                     name_of_adjoint(maker->tir, var), var->type, var->span);
    maker->sweep.adjoints[var->id] = adjoint;
    return adjoint;
}

void maker_set(Maker *maker, TirBlock *block, TirVar *var, TirExpr *value) {
    tir_set_var(maker->tir, block, var, value, value->span);
}

static void set_zero(Maker *maker, TirBlock *block, TirVar *var) {
    maker_set(maker, block, var, partial_fill(maker->tir, var->type, 0, var->span));
}

// The adjoint of a result or in-out parameter is given; it is a variable that the function changes.
static void take_adjoint(Maker *maker, const TirVar *var) {
    Tir *tir = maker->tir;
    TirVar *given = tir_var_create(tir, maker->sweep.function, VAR_PARAM, name_of_adjoint(tir, var),
                                   var->type, var->span);
    tir_add_param(tir, maker->sweep.function, given);
    maker_set(maker, maker->sweep.back, maker->sweep.adjoints[var->id],
              tir_read(tir, given, var->span));
}

static void make_variables(Maker *maker, const TirUses *uses) {
    Tir *tir = maker->tir;
    Sweep *sweep = &maker->sweep;
    const TirFunction *from = maker->active->function;
    for (size_t k = 0; k < from->param_count; k++) {
        const TirVar *param = from->params[k];
        TirVar *own =
            tir_var_create(tir, sweep->function, VAR_PARAM, param->name, param->type, param->span);
        tir_add_param(tir, sweep->function, own);
        sweep->clone.vars[param->id] = own;
        if (param->role == VAR_PARAM) {
            table_set(tir->arena, &sweep->stable, own, own);
            continue;
        }
        TirVar *changed =
            tir_var_create(tir, sweep->function, VAR_LOCAL, param->name, param->type, param->span);
        maker_set(maker, sweep->ahead, changed, tir_read(tir, own, param->span));
        sweep->clone.vars[param->id] = changed;
    }
    for (size_t k = 0; k < from->param_count; k++) {
        const TirVar *param = from->params[k];
        if (maker->active->vars[param->id]) {
            TirVar *adjoint = new_adjoint(maker, param, VAR_RESULT);
            LIST_PUSH(tir->arena, &sweep->function->results, adjoint);
        }
    }
    for (size_t k = 0; k < from->vars.count; k++) {
        const TirVar *var = from->vars.items[k];
        if (var->role == VAR_PARAM || var->role == VAR_INOUT) {
            continue;
        }
        bool is_result = var->role == VAR_RESULT;
        TirVarRole role = is_result && !from->is_shared ? VAR_TEMP : var->role;
        TirVar *own = tir_var_create(tir, sweep->function, role, is_result ? NULL : var->name,
                                     var->type, var->span);
        sweep->clone.vars[k] = own;
        if (role == VAR_RESULT) {
            LIST_PUSH(tir->arena, &sweep->function->results, own);
        }
        if (uses[k].writes + uses[k].updates <= 1) {
            table_set(tir->arena, &sweep->stable, own, own);
        }
        if (maker->active->vars[k]) {
            new_adjoint(maker, var, is_result ? VAR_TEMP : var->role);
        }
    }
    // What all adjoints are before anything is given to them.
    for (size_t k = 0; k < from->vars.count; k++) {
        const TirVar *var = from->vars.items[k];
        bool is_given = var->role == VAR_RESULT || var->role == VAR_INOUT;
        if (maker->active->vars[k] && !is_given) {
            set_zero(maker, sweep->back, sweep->adjoints[k]);
        }
    }
    for (size_t k = 0; k < from->results.count; k++) {
        if (maker->active->vars[from->results.items[k]->id]) {
            take_adjoint(maker, from->results.items[k]);
        }
    }
    for (size_t k = 0; k < from->param_count; k++) {
        const TirVar *param = from->params[k];
        if (param->role == VAR_INOUT && maker->active->vars[param->id]) {
            take_adjoint(maker, param);
        }
    }
}

// Statements.

// Copies of loops have variables of their own.
static void renew_loop(TirStmt *stmt, void *data) {
    Maker *maker = data;
    if (stmt->kind == STMT_FOR) {
        const TirVar *var = stmt->for_loop.var;
        TirVar *own = tir_var_create(maker->tir, maker->sweep.function, VAR_LOOP, var->name,
                                     var->type, var->span);
        maker->sweep.clone.vars[var->id] = own;
    }
}

void maker_copy(Maker *maker, const TirBlock *block) {
    tir_visit_stmts(block, renew_loop, maker);
    clone_block(&maker->sweep.clone, block, maker->sweep.ahead);
}

static void sweep_set_stmt(Maker *maker, const TirStmt *stmt) {
    Tir *tir = maker->tir;
    Sweep *sweep = &maker->sweep;
    TirExpr *value = sweep_ahead(sweep, stmt->set.value);
    TirExpr *place = sweep_ahead(sweep, stmt->set.place);
    tir_set(tir, sweep->ahead, place, value, stmt->span);
    TirVar *adjoint = sweep_set(sweep, sweep->back, sweep_adjoint(sweep, stmt->set.place));
    TirExpr *own = sweep_adjoint(sweep, stmt->set.place);
    tir_set(tir, sweep->back, own, partial_fill(tir, own->type, 0, stmt->span), stmt->span);
    sweep_back(sweep, stmt->set.value, tir_read(tir, adjoint, stmt->span));
}

// Calls are never active together, so what they keep shares memory.
static void note_tapes(Maker *maker, const Reversed *called) {
    for (size_t k = 0; k < called->tapes.count; k++) {
        LIST_PUSH(maker->tir->arena, &maker->reversed->tapes, called->tapes.items[k]);
    }
    maker->called = called->tape > maker->called ? called->tape : maker->called;
}

// A call of `function` that gives the result variables of the swept one their values, ahead, and
// whatever else it gives new ones, which are behind `args` then.
static void call_ahead(Maker *maker, const TirStmt *stmt, const TirRule *rule, TirExpr **args,
                       TirExpr **again_args) {
    Tir *tir = maker->tir;
    Sweep *sweep = &maker->sweep;
    size_t count = stmt->call.arg_count;
    TirStmt *call = tir_stmt(tir, sweep->ahead, STMT_CALL, stmt->span);
    call->call.function = rule == NULL ? stmt->call.function : rule->kept;
    call->call.args = args;
    call->call.arg_count = count;
    for (size_t k = 0; k < call->call.function->results.count; k++) {
        if (rule == NULL) {
            LIST_PUSH(tir->arena, &call->call.results,
                      clone_var(&sweep->clone, stmt->call.results.items[k]));
            continue;
        }
        TirVar *temp = tir_var_create(tir, sweep->function, VAR_TEMP, NULL,
                                      rule->kept->results.items[k]->type, stmt->span);
        LIST_PUSH(tir->arena, &call->call.results, temp);
        again_args[count + k] = tir_read(tir, temp, stmt->span);
    }
    for (size_t k = 0; rule != NULL && k < stmt->call.results.count; k++) {
        maker_set(maker, sweep->ahead, clone_var(&sweep->clone, stmt->call.results.items[k]),
                  partial_copy(tir, again_args[count + k]));
    }
}

// The adjoint of a variable that a call has given a value, which has none before.
static TirExpr *taken_adjoint(Maker *maker, const TirVar *var, Span span) {
    Sweep *sweep = &maker->sweep;
    TirVar *adjoint = sweep->adjoints[var->id];
    TirVar *seed = sweep_set(sweep, sweep->back, tir_read(maker->tir, adjoint, span));
    set_zero(maker, sweep->back, adjoint);
    return tir_read(maker->tir, seed, span);
}

// Back the called function runs again, from the arguments that it had, or what its rule has for
// that from those and from what was kept.
static void sweep_call(Maker *maker, const TirStmt *stmt) {
    Tir *tir = maker->tir;
    Sweep *sweep = &maker->sweep;
    const TirFunction *callee = stmt->call.function;
    const Active *inner = active_callee(&maker->reverse->forward->actives, maker->active, stmt);
    const TirRule *rule = callee->rule;
    const TirFunction *adjoint = rule == NULL ? NULL : rule->adjoint;
    const Reversed *called = adjoint == NULL ? reverse_function(maker->reverse, inner) : NULL;
    size_t count = stmt->call.arg_count;
    size_t next = rule == NULL ? count : count + rule->kept->results.count;
    TirExpr **args = ARENA_ARRAY(tir->arena, TirExpr *, count + 1);
    TirExpr **again_args =
        ARENA_ARRAY(tir->arena, TirExpr *, next + count + callee->results.count + 1);
    for (size_t k = 0; k < count; k++) {
        TirExpr *arg = sweep_ahead(sweep, stmt->call.args[k]);
        again_args[k] = partial_copy(tir, sweep_keep(sweep, arg));
        args[k] = callee->params[k]->role == VAR_INOUT
                      ? clone_expr(&sweep->clone, stmt->call.args[k])
                      : partial_copy(tir, again_args[k]);
    }
    call_ahead(maker, stmt, rule, args, again_args);

    for (size_t k = 0; k < callee->results.count; k++) {
        const TirVar *result = stmt->call.results.items[k];
        TirExpr *seed =
            maker->active->vars[result->id] ? taken_adjoint(maker, result, stmt->span) : NULL;
        bool is_asked = adjoint == NULL ? active_result(inner, k) : result->type->root == ROOT_REAL;
        if (is_asked) {
            again_args[next++] =
                seed == NULL ? partial_fill(tir, result->type, 0, stmt->span) : seed;
        }
    }
    for (size_t k = 0; k < count; k++) {
        if (callee->params[k]->role == VAR_INOUT && active_param(inner, k)) {
            again_args[next++] = taken_adjoint(maker, stmt->call.args[k]->var, stmt->span);
        }
    }
    TirStmt *again = tir_stmt(tir, sweep->back, STMT_CALL, stmt->span);
    again->call.function = adjoint == NULL ? called->made : rule->adjoint;
    if (called != NULL) {
        note_tapes(maker, called);
    }
    again->call.args = again_args;
    again->call.arg_count = next;
    TirExpr **parts = ARENA_ARRAY(tir->arena, TirExpr *, count + 1);
    for (size_t k = 0; k < count; k++) {
        const Type *type = callee->params[k]->type;
        bool is_given = adjoint != NULL && again->call.results.count < adjoint->results.count;
        if (adjoint == NULL ? active_param(inner, k) : is_given && type->root == ROOT_REAL) {
            TirVar *part = tir_var_create(tir, sweep->function, VAR_TEMP, NULL, type, stmt->span);
            LIST_PUSH(tir->arena, &again->call.results, part);
            parts[k] = tir_read(tir, part, stmt->span);
        }
    }
    for (size_t k = 0; k < count; k++) {
        if (active_param(inner, k)) {
            CHECK(parts[k] != NULL);
            sweep_back(sweep, stmt->call.args[k], parts[k]);
        }
    }
}

static void sweep_if(Maker *maker, const TirStmt *stmt) {
    Sweep *sweep = &maker->sweep;
    TirExpr *condition = sweep_keep(sweep, clone_expr(&sweep->clone, stmt->branch.condition));
    TirBlock *ahead = sweep->ahead, *back = sweep->back;
    TirStmt *first = tir_stmt(maker->tir, ahead, STMT_IF, stmt->span);
    TirStmt *second = tir_stmt(maker->tir, back, STMT_IF, stmt->span);
    first->branch.condition = condition;
    second->branch.condition = partial_copy(maker->tir, condition);
    sweep->ahead = &first->branch.then;
    sweep->back = &second->branch.then;
    maker_block(maker, &stmt->branch.then);
    sweep->ahead = &first->branch.otherwise;
    sweep->back = &second->branch.otherwise;
    maker_block(maker, &stmt->branch.otherwise);
    sweep->ahead = ahead;
    sweep->back = back;
}

static void sweep_stmt(Maker *maker, TirStmt *stmt) {
    if (!turns_are_active(maker->active, stmt)) {
        TirBlock alone = {0};
        LIST_PUSH(maker->tir->arena, &alone, stmt);
        maker_copy(maker, &alone);
        return;
    }
    switch ((int)stmt->kind) {
    case STMT_SET: sweep_set_stmt(maker, stmt); return;
    case STMT_CALL: sweep_call(maker, stmt); return;
    case STMT_IF: sweep_if(maker, stmt); return;
    case STMT_FOR: maker_loop(maker, stmt); return;
    }
    UNREACHABLE();
}

// Back, what the last statement needs comes first.
void maker_block(Maker *maker, const TirBlock *block) {
    Arena *arena = maker->tir->arena;
    TirBlock *back = maker->sweep.back;
    TirBlock *parts = ARENA_ARRAY(arena, TirBlock, block->count + 1);
    for (size_t i = 0; i < block->count; i++) {
        maker->sweep.back = &parts[i];
        if (block->items[i]->kind != STMT_RETURN) {
            sweep_stmt(maker, block->items[i]);
        }
    }
    for (size_t i = block->count; i-- > 0;) {
        for (size_t k = 0; k < parts[i].count; k++) {
            LIST_PUSH(arena, back, parts[i].items[k]);
        }
    }
    maker->sweep.back = back;
}

// Functions.

// Leaves an obstacle where a log is longer than it may be.
static void make(Reverse *reverse, const Active *active, Reversed *reversed) {
    Tir *tir = reverse->forward->tir;
    const TirFunction *from = active->function;
    TirFunction *made = forward_new_function(reverse->forward, from, "reverse");
    size_t count = from->vars.count;
    TirBlock back = {0};
    Maker maker = {.reverse = reverse,
                   .tir = tir,
                   .active = active,
                   .reversed = reversed,
                   .intervals = interval_vars(tir->arena, from),
                   .sweep = {.clone = {tir, ARENA_ARRAY(tir->arena, TirVar *, count + 1)},
                             .active = active,
                             .function = made,
                             .adjoints = ARENA_ARRAY(tir->arena, TirVar *, count + 1),
                             .ahead = &made->body,
                             .back = &back}};
    make_variables(&maker, tir_count_uses(tir->arena, from));
    maker_block(&maker, &from->body);
    tir_append(tir, &made->body, &back);
    tir_stmt(tir, &made->body, STMT_RETURN, from->span);
    bool *is_change = ARENA_ARRAY(tir->arena, bool, made->vars.count + 1);
    for (size_t k = 0; k < count; k++) {
        const TirVar *adjoint = maker.sweep.adjoints[k];
        if (adjoint != NULL) {
            is_change[adjoint->id] = true;
        }
    }
    tidy_function(tir, made, is_change, false);
    reversed->tape = maker.kept + maker.called;
    if (reversed->obstacle == NULL) {
        reversed->made = made;
        LIST_PUSH(tir->arena, &reverse->forward->functions, made);
    }
}

// The same of the function without jumps; NULL where there is none.
static const Active *straight_active(Reverse *reverse, const Active *active) {
    const TirFunction *from = active->function;
    Tir *tir = reverse->forward->tir;
    TirFunction *straight = straight_function(tir, active);
    if (straight == NULL || straight == from) {
        return straight == NULL ? NULL : active;
    }
    bool *by = ARENA_ARRAY(tir->arena, bool, from->param_count + 1);
    for (size_t k = 0; k < from->param_count; k++) {
        by[k] = active->vars[from->params[k]->id];
    }
    return active_in(&reverse->forward->actives, straight, by);
}

const Reversed *reverse_function(Reverse *reverse, const Active *active) {
    for (size_t k = 0; k < reverse->known.count; k++) {
        if (reverse->known.items[k]->active == active) {
            return reverse->known.items[k];
        }
    }
    Reversed *reversed = ARENA_NEW(reverse->forward->tir->arena, Reversed);
    reversed->active = active;
    const Active *straight = straight_active(reverse, active);
    if (straight == NULL) {
        reversed->obstacle = returning_while(reverse, &active->function->body);
    } else {
        reversed->obstacle = obstacle_in(reverse, straight, &straight->function->body, true);
        if (reversed->obstacle == NULL) {
            make(reverse, straight, reversed);
        }
    }
    CHECK((reversed->made == NULL) == (reversed->obstacle != NULL));
    LIST_PUSH(reverse->forward->tir->arena, &reverse->known, reversed);
    return reversed;
}
