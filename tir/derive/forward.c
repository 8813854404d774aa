// A made function is a copy in which each `set` of a variable that changes follows one of its
// change: that reads what the variable was before. Branches, loops and indices are those of the
// function. Calls become calls of functions made likewise. Reads any valid TIR without nests and
// effects, in which no call asks for derivatives.
#include "tir/derive/forward.h"

#include "support/bug.h"
#include "tir/derive/partial.h"
#include "tir/derive/tangent.h"
#include "tir/derive/tidy.h"
#include "tir/uses.h"
#include "tir/view.h"
#include "tir/visit.h"

typedef struct Maker {
    Forward *forward;
    const Active *active;
    const TirUses *uses; // of the function that this is the derivative of
    Tangents tangents;
} Maker;

// Variables.

static Name name_of_change(Tir *tir, const TirVar *var) {
    if (var->name == NULL) {
        return NULL;
    }
    return names_intern_text(tir->names, arena_format(tir->arena, "%s.d", var->name->text));
}

static TirVar *new_change(Maker *maker, const TirVar *var, TirVarRole role) {
    Tir *tir = maker->forward->tir;
    const Type *type = directions_type(&maker->tangents.directions, var->type);
    TirVar *change = tir_var_create(tir, maker->tangents.function, role, name_of_change(tir, var),
                                    type, var->span);
    maker->tangents.changes[var->id] = tir_read(tir, change, var->span);
    return change;
}

// Parameters and results come first; `seeds` and `wants_values` are those of a goal. What the
// function is linear in changes alone.
static void make_interface(Maker *maker, TirExpr *const *seeds, bool wants_values) {
    Tir *tir = maker->forward->tir;
    const TirFunction *from = maker->active->function;
    TirFunction *made = maker->tangents.function;
    for (size_t k = 0; k < from->param_count; k++) {
        const TirVar *param = from->params[k];
        bool is_read = !maker->tangents.is_linear || !maker->active->vars[param->id];
        TirVarRole role = is_read ? param->role : VAR_TEMP;
        TirVar *own = tir_var_create(tir, made, role, param->name, param->type, param->span);
        maker->tangents.clone.vars[param->id] = own;
        if (is_read) {
            tir_add_param(tir, made, own);
        }
    }
    for (size_t k = 0; k < from->param_count; k++) {
        const TirVar *param = from->params[k];
        if (maker->active->vars[param->id] && (seeds == NULL || seeds[k] == NULL)) {
            tir_add_param(tir, made, new_change(maker, param, param->role));
        } else if (maker->active->vars[param->id]) {
            maker->tangents.changes[param->id] = seeds[k];
        }
    }
    for (size_t k = 0; k < from->results.count; k++) {
        const TirVar *result = from->results.items[k];
        TirVarRole role = wants_values ? VAR_RESULT : VAR_TEMP;
        TirVar *own = tir_var_create(tir, made, role, NULL, result->type, result->span);
        maker->tangents.clone.vars[result->id] = own;
        if (wants_values) {
            LIST_PUSH(tir->arena, &made->results, own);
        }
    }
    for (size_t k = 0; k < from->results.count; k++) {
        const TirVar *result = from->results.items[k];
        if (maker->active->vars[result->id]) {
            LIST_PUSH(tir->arena, &made->results, new_change(maker, result, VAR_RESULT));
        }
    }
}

static void make_locals(Maker *maker) {
    const TirFunction *from = maker->active->function;
    for (size_t k = 0; k < from->vars.count; k++) {
        const TirVar *var = from->vars.items[k];
        if (tir_var_is_interface(var)) {
            continue;
        }
        TirVar *own = tir_var_create(maker->forward->tir, maker->tangents.function, var->role,
                                     var->name, var->type, var->span);
        own->has_parts = var->has_parts;
        maker->tangents.clone.vars[k] = own;
        if (maker->active->vars[k]) {
            new_change(maker, var, var->role);
        }
    }
}

// Statements.

static void make_block(Maker *maker, const TirBlock *from, TirBlock *to);

static TirExpr *value(Maker *maker, const TirExpr *expr) {
    return clone_expr(&maker->tangents.clone, expr);
}

// Whether a variable changes for all of the function as one constant says: it is then read where
// the variable would be.
static bool is_constant_change(const Maker *maker, const TirStmt *set, const TirExpr *change) {
    const TirExpr *place = set->set.place, *bottom = view_bottom(change);
    if (place->kind != EXPR_VAR || bottom == NULL || bottom->kind != EXPR_CONST ||
        tir_var_is_interface(place->var) || tir_var_is_global(place->var)) {
        return false;
    }
    const TirUses *uses = &maker->uses[place->var->id];
    return maker->tangents.out == &maker->tangents.function->body && uses->writes == 1 &&
           uses->updates == 0;
}

static void make_set(Maker *maker, const TirStmt *from) {
    Tir *tir = maker->forward->tir;
    Tangents *tangents = &maker->tangents;
    Tangent change = tangent_of(tangents, from->set.value);
    Tangent place = tangent_of(tangents, from->set.place);
    if (place.change != NULL &&
        is_constant_change(maker, from, tangent_change(tangents, &change))) {
        tangents->changes[from->set.place->var->id] = tangent_change(tangents, &change);
    } else if (place.change != NULL) {
        tir_set(tir, tangents->out, place.change, tangent_change(tangents, &change), from->span);
    }
    tir_set(tir, tangents->out, place.value, change.value, from->span);
}

// The results of a call of what `rule` keeps, in new temporaries, and they behind the arguments.
static void call_kept(Maker *maker, const TirRule *rule, Span span, TirExpr **args, size_t count) {
    Tir *tir = maker->forward->tir;
    TirStmt *call = tir_stmt(tir, maker->tangents.out, STMT_CALL, span);
    call->call.function = rule->kept;
    call->call.args = ARENA_ARRAY(tir->arena, TirExpr *, count + 1);
    call->call.arg_count = count;
    for (size_t k = 0; k < count; k++) {
        call->call.args[k] = partial_copy(tir, args[k]);
    }
    for (size_t k = 0; k < rule->kept->results.count; k++) {
        const Type *type = rule->kept->results.items[k]->type;
        TirVar *temp = tir_var_create(tir, maker->tangents.function, VAR_TEMP, NULL, type, span);
        LIST_PUSH(tir->arena, &call->call.results, temp);
        args[count + k] = tir_read(tir, temp, span);
    }
}

// A function of the same parameters, and then for each that is active its change, which has one
// more axis (tir/derive/directions.h); results likewise, or their changes alone.
static const Twin *twin_of(Forward *forward, const Active *active, uint32_t directions,
                           bool has_values);

// The function runs, and then the slope of its rule for the changes.
static void make_ruled_call(Maker *maker, const TirStmt *from, const Active *inner) {
    Tir *tir = maker->forward->tir;
    Tangents *tangents = &maker->tangents;
    const TirRule *rule = from->call.function->rule;
    size_t count = from->call.arg_count, params = rule->slope->param_count;
    TirExpr **args = ARENA_ARRAY(tir->arena, TirExpr *, 2 * params);
    size_t next = params;
    for (size_t k = 0; k < count; k++) {
        Tangent arg = tangent_of(tangents, from->call.args[k]);
        args[k] = tangent_keep(tangents, arg.value);
        if (active_param(inner, k)) {
            args[next++] = tangent_change(tangents, &arg);
        }
    }
    call_kept(maker, rule, from->span, args, count);
    TirStmt *to = tir_stmt(tir, tangents->out, STMT_CALL, from->span);
    to->call.function = twin_of(maker->forward, inner, tangents->directions.count, false)->made;
    to->call.args = args;
    to->call.arg_count = next;
    for (size_t k = 0; k < from->call.results.count; k++) {
        TirVar *result = from->call.results.items[k];
        if (active_result(inner, k)) {
            LIST_PUSH(tir->arena, &to->call.results, tangents->changes[result->id]->var);
        }
        tir_set_var(tir, tangents->out, clone_var(&tangents->clone, result),
                    partial_copy(tir, args[count + k]), from->span);
    }
}

// Results that change elsewhere only do not here.
static void keep_still(Maker *maker, const TirStmt *from, const Active *inner) {
    Tir *tir = maker->forward->tir;
    const Tangents *tangents = &maker->tangents;
    for (size_t k = 0; k < from->call.results.count; k++) {
        const TirVar *result = from->call.results.items[k];
        TirExpr *change = tir_var_is_global(result) ? NULL : tangents->changes[result->id];
        if (change != NULL && !active_result(inner, k)) {
            tir_set_var(tir, tangents->out, change->var,
                        directions_zero(&tangents->directions, result->type, from->span),
                        from->span);
        }
    }
}

static bool changes_any(const Active *inner) {
    for (size_t k = 0; k < inner->function->results.count; k++) {
        if (active_result(inner, k)) {
            return true;
        }
    }
    return false;
}

// The function runs, and its statements once more for the changes.
static void make_linear_call(Maker *maker, const TirStmt *from, const Active *inner) {
    Tir *tir = maker->forward->tir;
    Tangents *tangents = &maker->tangents;
    size_t count = from->call.arg_count;
    TirStmt *value = tir_stmt(tir, tangents->out, STMT_CALL, from->span);
    value->call.function = from->call.function;
    value->call.args = ARENA_ARRAY(tir->arena, TirExpr *, count);
    value->call.arg_count = count;
    TirExpr **args = ARENA_ARRAY(tir->arena, TirExpr *, count);
    size_t next = 0;
    for (size_t k = 0; k < count; k++) {
        Tangent arg = tangent_of(tangents, from->call.args[k]);
        value->call.args[k] = tangent_keep(tangents, arg.value);
        if (active_param(inner, k)) {
            args[count - 1] = tangent_change(tangents, &arg);
        } else {
            args[next++] = partial_copy(tir, value->call.args[k]);
        }
    }
    TirStmt *change = tir_stmt(tir, tangents->out, STMT_CALL, from->span);
    change->call.function = twin_of(maker->forward, inner, tangents->directions.count, false)->made;
    change->call.args = args;
    change->call.arg_count = count;
    for (size_t k = 0; k < from->call.results.count; k++) {
        TirVar *result = from->call.results.items[k];
        LIST_PUSH(tir->arena, &value->call.results, clone_var(&tangents->clone, result));
        if (active_result(inner, k)) {
            LIST_PUSH(tir->arena, &change->call.results, tangents->changes[result->id]->var);
        }
    }
}

// Whether it changes only in what it is linear in.
static bool is_linear(const Active *active) {
    for (size_t k = 0; k < active->function->param_count; k++) {
        if (active_param(active, k) != (k + 1 == active->function->linear_in)) {
            return false;
        }
    }
    return active->function->linear_in > 0;
}

// A call of a function that changes nothing stays.
static void make_call(Maker *maker, const TirStmt *from) {
    Tir *tir = maker->forward->tir;
    Tangents *tangents = &maker->tangents;
    CHECK(from->call.derivative == NULL);
    const Active *inner = active_callee(&maker->forward->actives, maker->active, from);
    const TirFunction *callee = from->call.function;
    if (inner->function != callee && !active_param(inner, 0)) { // linear in the others
        inner = active_of_statements(&maker->forward->actives, maker->active, from);
    }
    if (inner->function != callee && changes_any(inner)) {
        make_ruled_call(maker, from, inner);
        keep_still(maker, from, inner);
        return;
    }
    if (is_linear(inner)) {
        make_linear_call(maker, from, inner);
        keep_still(maker, from, inner);
        return;
    }
    size_t count = from->call.arg_count;
    TirExpr **args = ARENA_ARRAY(tir->arena, TirExpr *, 2 * count + 1);
    size_t next = count;
    for (size_t k = 0; k < count; k++) {
        if (inner->function == callee && active_param(inner, k)) {
            Tangent arg = tangent_of(tangents, from->call.args[k]);
            args[k] = arg.value;
            args[next++] = tangent_change(tangents, &arg);
        } else {
            args[k] = value(maker, from->call.args[k]);
        }
    }
    TirVars changes = {0};
    for (size_t k = 0; k < callee->results.count; k++) {
        TirVar *result = from->call.results.items[k];
        if (active_result(inner, k)) {
            LIST_PUSH(tir->arena, &changes, tangents->changes[result->id]->var);
        }
    }
    bool is_changed = next > count || changes.count > 0;
    const Twin *twin =
        is_changed ? twin_of(maker->forward, inner, tangents->directions.count, true) : NULL;
    TirStmt *to = tir_stmt(tir, tangents->out, STMT_CALL, from->span);
    to->call.function = twin == NULL ? from->call.function : twin->made;
    to->call.args = args;
    to->call.arg_count = next;
    for (size_t k = 0; k < callee->results.count; k++) {
        LIST_PUSH(tir->arena, &to->call.results,
                  clone_var(&tangents->clone, from->call.results.items[k]));
    }
    for (size_t k = 0; k < changes.count; k++) {
        LIST_PUSH(tir->arena, &to->call.results, changes.items[k]);
    }
    keep_still(maker, from, inner);
}

static void make_for(Maker *maker, const TirStmt *from) {
    TirStmt *to = tir_stmt(maker->forward->tir, maker->tangents.out, STMT_FOR, from->span);
    to->for_loop.var = clone_var(&maker->tangents.clone, from->for_loop.var);
    to->for_loop.first = value(maker, from->for_loop.first);
    to->for_loop.last = value(maker, from->for_loop.last);
    to->for_loop.step = value(maker, from->for_loop.step);
    to->for_loop.step_span = from->for_loop.step_span;
    make_block(maker, &from->for_loop.body, &to->for_loop.body);
}

static void make_stmt(Maker *maker, const TirStmt *from) {
    Tir *tir = maker->forward->tir;
    TirBlock *out = maker->tangents.out;
    switch (from->kind) {
    case STMT_SET: make_set(maker, from); return;
    case STMT_CALL: make_call(maker, from); return;
    case STMT_IF: {
        TirStmt *to = tir_stmt(tir, out, STMT_IF, from->span);
        to->branch.condition = value(maker, from->branch.condition);
        make_block(maker, &from->branch.then, &to->branch.then);
        make_block(maker, &from->branch.otherwise, &to->branch.otherwise);
        return;
    }
    case STMT_FOR: make_for(maker, from); return;
    case STMT_WHILE: {
        TirStmt *to = tir_stmt(tir, out, STMT_WHILE, from->span);
        to->while_loop.condition = value(maker, from->while_loop.condition);
        make_block(maker, &from->while_loop.before, &to->while_loop.before);
        make_block(maker, &from->while_loop.body, &to->while_loop.body);
        return;
    }
    case STMT_BREAK:
    case STMT_CONTINUE:
    case STMT_RETURN: tir_stmt(tir, out, from->kind, from->span); return;
    case STMT_NEST:
    case STMT_PRINT:
    case STMT_INPUT:
    case STMT_OUTPUT:
    case STMT_ASSERT: break;
    }
    BUG("a statement that has no derivative");
}

static void make_block(Maker *maker, const TirBlock *from, TirBlock *to) {
    TirBlock *outer = maker->tangents.out;
    maker->tangents.out = to;
    for (size_t i = 0; i < from->count; i++) {
        make_stmt(maker, from->items[i]);
    }
    maker->tangents.out = outer;
}

// Functions.

TirFunction *forward_new_function(Forward *forward, const TirFunction *from, const char *word) {
    Tir *tir = forward->tir;
    TirFunction *made = ARENA_NEW(tir->arena, TirFunction);
    made->name = from->name;
    made->symbol = arena_format(tir->arena, "%s.%s%u", from->symbol, word, forward->count++);
    made->span = from->span;
    made->reads_globals = from->reads_globals;
    made->uses_interface = from->uses_interface;
    return made;
}

// Where the values are known already, by another call, what would compute them traps no more.
static TirFunction *make(Forward *forward, const ForwardGoal *goal, bool wants_values,
                         bool has_run) {
    Tir *tir = forward->tir;
    const TirFunction *from = goal->active->function;
    TirFunction *made = forward_new_function(forward, from, "forward");
    size_t count = from->vars.count;
    Maker maker = {.forward = forward,
                   .active = goal->active,
                   .uses = tir_count_uses(tir->arena, from),
                   .tangents = {.clone = {tir, ARENA_ARRAY(tir->arena, TirVar *, count + 1)},
                                .directions = {tir, goal->directions},
                                .function = made,
                                .changes = ARENA_ARRAY(tir->arena, TirExpr *, count + 1),
                                .is_linear = is_linear(goal->active)}};
    make_interface(&maker, goal->seeds, wants_values);
    make_locals(&maker);
    make_block(&maker, &from->body, &made->body);
    bool *is_change = ARENA_ARRAY(tir->arena, bool, made->vars.count + 1);
    for (size_t k = 0; k < count; k++) {
        const TirExpr *change = maker.tangents.changes[k];
        if (change != NULL && change->kind == EXPR_VAR && !tir_var_is_global(change->var)) {
            is_change[change->var->id] = true;
        }
    }
    tidy_function(tir, made, is_change, has_run);
    LIST_PUSH(tir->arena, &forward->functions, made);
    return made;
}

static const Twin *twin_of(Forward *forward, const Active *active, uint32_t directions,
                           bool has_values) {
    for (size_t k = 0; k < forward->twins.count; k++) {
        const Twin *twin = forward->twins.items[k];
        if (twin->active == active && twin->directions == directions &&
            twin->has_values == has_values) {
            return twin;
        }
    }
    ForwardGoal goal = {.active = active, .directions = directions};
    Twin *twin = ARENA_NEW(forward->tir->arena, Twin);
    *twin = (Twin){active, directions, has_values, make(forward, &goal, has_values, !has_values)};
    LIST_PUSH(forward->tir->arena, &forward->twins, twin);
    return twin;
}

TirFunction *forward_function(Forward *forward, const ForwardGoal *goal) {
    return make(forward, goal, goal->active->function->is_shared, false);
}
