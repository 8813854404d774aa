// Makes functions that compute derivatives, and calls of them where calls ask for derivatives of a
// function. Reads any valid TIR without nests; afterwards no call asks.
//
// Forward, directions run side by side, at most STRIP of them: the elements of what derivatives are
// by. More are taken strip by strip, in a loop that runs the function again for each. In reverse, a
// loop runs the function for each element of the result. What takes less is chosen.
#include "tir/passes/passes.h"

#include "tir/derive/cost.h"
#include "tir/derive/flat.h"
#include "tir/derive/partial.h"
#include "tir/derive/reverse.h"
#include "tir/derive/share.h"
#include "tir/derive/tell.h"
#include "tir/uses.h"
#include "tir/visit.h"

enum { STRIP = 16 };

// A call that asks, and what is known of it.
typedef struct Asked {
    Forward *forward;
    Reverse *reverse;
    Costs *costs;
    TirFunction *caller;
    TirBlock *out;
    const TirStmt *call;
    const Active *active;
    TirExpr **args;              // of the call, each of which may be read again
    TirDerivedList *derivatives; // takes what is known of it in the end
    uint32_t elements;           // of all parameters that it is by
    TirVar *value;               // gets the result of the function, where it is shared; else NULL
    uint32_t strips, strip;
} Asked;

static const Type *value_type(const Asked *asked) {
    return asked->call->call.function->results.items[0]->type;
}

static TirVar *new_temp(const Asked *asked, const Type *type) {
    return tir_var_create(asked->forward->tir, asked->caller, VAR_TEMP, NULL, type,
                          asked->call->span);
}

static TirExpr *kept(const Asked *asked, TirExpr *value) {
    Tir *tir = asked->forward->tir;
    TirVar *temp = new_temp(asked, value->type);
    tir_set_var(tir, asked->out, temp, value, value->span);
    return tir_read(tir, temp, value->span);
}

static void set_result(const Asked *asked, size_t k, TirExpr *value) {
    Tir *tir = asked->forward->tir;
    TirVar *result = asked->call->call.results.items[k];
    TirExpr *place = tir_read(tir, result, asked->call->span);
    tir_set(tir, asked->out, place, tir_reshape(tir, result->type, value, asked->call->span),
            asked->call->span);
}

// The first of the elements that the directions are of: those of the parameters, one after the
// other.
static uint32_t first_element(const Asked *asked, size_t by) {
    const TirDerivative *derivative = asked->call->call.derivative;
    uint32_t first = 0;
    for (size_t k = 0; k < by; k++) {
        first += asked->call->call.function->params[derivative->by[k]]->type->numel;
    }
    return first;
}

// The place of the parameter among those that it is by, in the order of parameters.
static size_t place_among(const TirDerivative *derivative, size_t by) {
    size_t place = 0;
    for (size_t k = 0; k < derivative->by_count; k++) {
        place += derivative->by[k] < derivative->by[by];
    }
    return place;
}

// How the parameter changes in all directions: with each element by itself.
static TirExpr *constant_seed(const Asked *asked, size_t by) {
    Tir *tir = asked->forward->tir;
    Directions directions = {tir, asked->strip};
    const Type *param =
        asked->call->call.function->params[asked->call->call.derivative->by[by]]->type;
    uint32_t count = asked->strip == 0 ? 1 : asked->strip;
    uint32_t first = first_element(asked, by);
    TirScalar *data = ARENA_ARRAY(tir->arena, TirScalar, (size_t)param->numel * count);
    for (uint32_t k = 0; k < param->numel; k++) {
        data[(size_t)k * count + first + k].real = 1;
    }
    return tir_const(tir, directions_type(&directions, param), data, asked->call->span);
}

// The same in the strip that a variable counts.
static TirExpr *strip_seed(const Asked *asked, size_t by, TirVar *counter) {
    Tir *tir = asked->forward->tir;
    Span span = asked->call->span;
    Directions directions = {tir, asked->strip};
    const Type *param =
        asked->call->call.function->params[asked->call->call.derivative->by[by]]->type;
    uint32_t dims[] = {param->numel, asked->strip};
    const Type *ints = type_flat(tir->types, ROOT_INT, 2, dims);
    const Type *column = type_flat(tir->types, ROOT_INT, 1, &dims[0]);
    const Type *row = type_flat(tir->types, ROOT_INT, 1, &dims[1]);
    TirAxis down[] = {{.axis = 0, .step = 1}}, right[] = {{.axis = 1, .step = 1}};
    const Type *scalar = type_scalar(tir->types, ROOT_INT);
    TirExpr *from = tir_map(tir, OP_MUL, scalar, tir_read(tir, counter, span),
                            tir_const_int(tir, (int32_t)asked->strip, span), NULL, span);
    TirExpr *first = tir_const_int(tir, (int32_t)first_element(asked, by), span);
    from = kept(asked, tir_map(tir, OP_SUB, scalar, from, first, NULL, span));
    TirExpr *directions_at =
        tir_map(tir, OP_ADD, ints, tir_view(tir, ints, tir_iota(tir, row, span), right, span),
                tir_view(tir, ints, from, NULL, span), NULL, span);
    TirExpr *elements_at = tir_view(tir, ints, tir_iota(tir, column, span), down, span);
    TirExpr *is_it = tir_map(tir, OP_EQ, type_with_root(tir->types, ints, ROOT_BOOL), elements_at,
                             directions_at, NULL, span);
    return tir_reshape(tir, directions_type(&directions, param),
                       tir_convert(tir, ROOT_REAL, is_it, span), span);
}

// A call of a made function with the arguments and `more`, which may be NULL, without results.
static TirStmt *call_made(const Asked *asked, TirFunction *made, TirExpr *const *more) {
    Tir *tir = asked->forward->tir;
    size_t count = asked->call->call.arg_count;
    TirStmt *call = tir_stmt(tir, asked->out, STMT_CALL, asked->call->span);
    call->call.function = made;
    call->call.args = ARENA_ARRAY(tir->arena, TirExpr *, made->param_count + 1);
    call->call.arg_count = made->param_count;
    for (size_t k = 0; k < count; k++) {
        call->call.args[k] = asked->args[k];
    }
    for (size_t k = count; more != NULL && k < made->param_count; k++) {
        call->call.args[k] = more[k - count];
    }
    return call;
}

// The result of the function, where the call of a made one gives it.
static void take_value(const Asked *asked, TirStmt *made) {
    if (asked->value != NULL) {
        LIST_PUSH(asked->forward->tir->arena, &made->call.results, asked->value);
    }
}

static TirFunction *function_for(const Asked *asked, TirExpr *const *seeds) {
    ForwardGoal goal = {asked->active, asked->strip, seeds};
    return forward_function(asked->forward, &goal);
}

static bool is_for_each_element(const Asked *asked) {
    return asked->call->call.derivative->kind != DERIVATIVE_ALONG;
}

// All directions in one strip: a variable with their changes.
static TirExpr *one_strip(Asked *asked) {
    Tir *tir = asked->forward->tir;
    const TirStmt *call = asked->call;
    const TirDerivative *derivative = call->call.derivative;
    Directions directions = {tir, asked->strip};
    TirVar *changes = new_temp(asked, directions_type(&directions, value_type(asked)));
    TirExpr **seeds = NULL;
    if (is_for_each_element(asked)) {
        seeds = ARENA_ARRAY(tir->arena, TirExpr *, call->call.arg_count + 1);
        for (size_t k = 0; k < derivative->by_count; k++) {
            seeds[derivative->by[k]] = constant_seed(asked, k);
        }
    }
    TirStmt *made = call_made(asked, function_for(asked, seeds), &derivative->along);
    take_value(asked, made);
    LIST_PUSH(tir->arena, &made->call.results, changes);
    return tir_read(tir, changes, call->span);
}

// Strip by strip: a variable with the changes in all of them, the last axis.
static TirExpr *all_strips(Asked *asked) {
    Tir *tir = asked->forward->tir;
    const TirStmt *call = asked->call;
    const TirDerivative *derivative = call->call.derivative;
    Span span = call->span;
    const Type *value = value_type(asked);
    Directions directions = {tir, asked->strip}, strips = {tir, asked->strips},
               elements = {tir, asked->strips * asked->strip};
    TirVar *changes =
        new_temp(asked, directions_type(&directions, directions_type(&strips, value)));
    TirVar *some = new_temp(asked, directions_type(&directions, value));
    for (size_t k = 0; k < call->call.arg_count; k++) {
        asked->args[k] = kept(asked, asked->args[k]);
    }
    TirFunction *made = function_for(asked, NULL);

    TirStmt *loop = tir_for(tir, asked->out, asked->caller, 0, (int32_t)asked->strips, 1, span);
    TirVar *counter = loop->for_loop.var;
    TirBlock *outer = asked->out;
    asked->out = &loop->for_loop.body;
    TirExpr **seeds = ARENA_ARRAY(tir->arena, TirExpr *, derivative->by_count);
    for (size_t k = 0; k < derivative->by_count; k++) {
        seeds[place_among(derivative, k)] = strip_seed(asked, k, counter);
    }
    TirStmt *again = call_made(asked, made, seeds);
    take_value(asked, again);
    LIST_PUSH(tir->arena, &again->call.results, some);
    size_t rank = value->flat_rank;
    TirAxis *axes = ARENA_ARRAY(tir->arena, TirAxis, rank + 2);
    for (size_t k = 0; k < rank; k++) {
        axes[k] = (TirAxis){.axis = (int32_t)k, .step = 1};
    }
    axes[rank] = (TirAxis){.axis = -1, .index = tir_read(tir, counter, span), .unchecked = true};
    axes[rank + 1] = (TirAxis){.axis = (int32_t)rank, .step = 1};
    TirExpr *place = tir_view(tir, some->type, tir_read(tir, changes, span), axes, span);
    tir_set(tir, asked->out, place, tir_read(tir, some, span), span);
    asked->out = outer;
    return tir_reshape(tir, directions_type(&elements, value), tir_read(tir, changes, span), span);
}

// The elements [first, first + count) of the last axis, which is `all` long.
static TirExpr *part(Tir *tir, TirExpr *changes, uint32_t first, uint32_t count) {
    uint32_t rank = changes->type->flat_rank;
    if (rank == 0 || changes->type->dims[rank - 1] == count) {
        return changes;
    }
    TirAxis *axes = ARENA_ARRAY(tir->arena, TirAxis, rank);
    uint32_t *dims = ARENA_ARRAY(tir->arena, uint32_t, rank);
    for (uint32_t k = 0; k < rank; k++) {
        axes[k] = (TirAxis){.axis = (int32_t)k, .step = 1, .start = k + 1 == rank ? first : 0};
        dims[k] = k + 1 == rank ? count : changes->type->dims[k];
    }
    const Type *type = type_flat(tir->types, ROOT_REAL, rank, dims);
    return tir_view(tir, type, changes, axes, changes->span);
}

static void set_zeros(const Asked *asked) {
    Tir *tir = asked->forward->tir;
    for (size_t k = 0; k < asked->call->call.results.count; k++) {
        const Type *type = asked->call->call.results.items[k]->type;
        Directions none = {tir, 0};
        set_result(asked, k, directions_zero(&none, type, asked->call->span));
    }
}

// As few strips as may be, of about the same length. Arrays with so many directions have to be some
// still, and so has one of all directions of the result.
static void cut_strips(Asked *asked) {
    uint32_t elements = asked->elements, most = STRIP;
    uint32_t room = TYPE_SCALARS_LIMIT / cost_widest(asked->costs, asked->call->call.function);
    most = room < most ? room : most;
    asked->strips = (elements - 1) / most + 1;
    asked->strip = (elements - 1) / asked->strips + 1;
    uint64_t all = (uint64_t)asked->strips * asked->strip * value_type(asked)->numel;
    if (all > TYPE_SCALARS_LIMIT) {
        asked->strips = elements;
        asked->strip = 1;
    }
    if (asked->strips == 1 && asked->strip == 1) {
        asked->strip = 0; // no axis for one direction
    }
}

static void expand_forward(Asked *asked) {
    Tir *tir = asked->forward->tir;
    const TirStmt *call = asked->call;
    const TirDerivative *derivative = call->call.derivative;
    asked->elements = is_for_each_element(asked) ? first_element(asked, derivative->by_count) : 1;
    cut_strips(asked);
    TirExpr *changes = asked->strips == 1 ? one_strip(asked) : all_strips(asked);
    for (size_t k = 0; k < call->call.results.count; k++) {
        const TirVar *param = call->call.function->params[derivative->by[k]];
        uint32_t count = is_for_each_element(asked) ? param->type->numel : 0;
        TirExpr *own =
            asked->strip == 0 ? changes : part(tir, changes, first_element(asked, k), count);
        set_result(asked, k, own);
    }
}

// The adjoints of the parameters, the result of which changes as `seed` says: variables, in the
// order of parameters.
static void call_reverse(const Asked *asked, TirFunction *made, TirExpr *seed, TirVar **adjoints) {
    TirStmt *call = call_made(asked, made, &seed);
    for (size_t k = 0; k < asked->call->call.derivative->by_count; k++) {
        adjoints[k] = new_temp(asked, made->results.items[k]->type);
        LIST_PUSH(asked->forward->tir->arena, &call->call.results, adjoints[k]);
    }
    take_value(asked, call);
}

// The rows of a Jacobian, one for each element of the result.
static void expand_rows(Asked *asked, TirFunction *made) {
    Tir *tir = asked->forward->tir;
    const TirStmt *call = asked->call;
    Span span = call->span;
    const Type *value = value_type(asked);
    const Type *param = call->call.function->params[call->call.derivative->by[0]]->type;
    const Type *ints = type_flat(tir->types, ROOT_INT, 1, &value->numel);
    uint32_t dims[] = {value->numel, param->numel};
    TirVar *rows = new_temp(asked, type_flat(tir->types, ROOT_REAL, 2, dims));
    for (size_t k = 0; k < call->call.arg_count; k++) {
        asked->args[k] = kept(asked, asked->args[k]);
    }
    TirStmt *loop = tir_for(tir, asked->out, asked->caller, 0, (int32_t)value->numel, 1, span);
    TirVar *row = loop->for_loop.var;
    TirBlock *outer = asked->out;
    asked->out = &loop->for_loop.body;
    TirExpr *is_row =
        tir_map(tir, OP_EQ, type_with_root(tir->types, ints, ROOT_BOOL), tir_iota(tir, ints, span),
                tir_view(tir, ints, tir_read(tir, row, span), NULL, span), NULL, span);
    TirExpr *seed = tir_reshape(tir, value, tir_convert(tir, ROOT_REAL, is_row, span), span);
    TirVar *adjoint;
    call_reverse(asked, made, seed, &adjoint);
    TirAxis axes[] = {{.axis = -1, .index = tir_read(tir, row, span), .unchecked = true},
                      {.axis = 0, .step = 1}};
    const Type *line = type_flat(tir->types, ROOT_REAL, 1, &param->numel);
    tir_set(tir, asked->out, tir_view(tir, line, tir_read(tir, rows, span), axes, span),
            tir_reshape(tir, line, tir_read(tir, adjoint, span), span), span);
    asked->out = outer;
    set_result(asked, 0, tir_read(tir, rows, span));
}

static void expand_reverse(Asked *asked, TirFunction *made) {
    Tir *tir = asked->forward->tir;
    const TirStmt *call = asked->call;
    const TirDerivative *derivative = call->call.derivative;
    const Type *value = value_type(asked);
    if (value->numel > 1) {
        expand_rows(asked, made);
        return;
    }
    TirVar **adjoints = ARENA_ARRAY(tir->arena, TirVar *, derivative->by_count);
    TirExpr *one = tir_const_real(tir, 1, call->span);
    call_reverse(asked, made, tir_view(tir, value, one, NULL, call->span), adjoints);
    for (size_t k = 0; k < derivative->by_count; k++) {
        set_result(asked, k, tir_read(tir, adjoints[place_among(derivative, k)], call->span));
    }
}

// The arguments of the call, of which the statements that are made have copies.
static void take_arguments(Asked *asked) {
    Tir *tir = asked->forward->tir;
    asked->args = ARENA_ARRAY(tir->arena, TirExpr *, asked->call->call.arg_count + 1);
    for (size_t k = 0; k < asked->call->call.arg_count; k++) {
        asked->args[k] = partial_copy(tir, asked->call->call.args[k]);
    }
}

// Both ways, of which the one that takes less stays.
static void expand(Asked *asked, TirBlock *out) {
    Tir *tir = asked->forward->tir;
    const TirStmt *call = asked->call;
    const TirFunction *function = call->call.function;
    flat_make(tir, call->call.function);
    const TirDerivative *derivative = call->call.derivative;
    bool *by = ARENA_ARRAY(tir->arena, bool, function->param_count + 1);
    for (size_t k = 0; k < derivative->by_count; k++) {
        by[derivative->by[k]] = true;
    }
    asked->active = active_in(&asked->forward->actives, function, by);
    asked->out = out;
    if (!asked->active->vars[function->results.items[0]->id]) {
        set_zeros(asked);
        if (asked->value != NULL) {
            take_arguments(asked);
            take_value(asked, call_made(asked, (TirFunction *)function, NULL));
        }
        return;
    }
    bool wants_reverse = tir->derivation != DERIVATION_FORWARD && is_for_each_element(asked);
    const Reversed *reversed =
        wants_reverse ? reverse_function(asked->reverse, asked->active) : NULL;
    const Obstacle *obstacle = reversed != NULL ? reversed->obstacle : NULL;
    if (obstacle != NULL && tir->derivation == DERIVATION_REVERSE) {
        tell_refused(tir, call, obstacle);
    }
    bool has_reverse = reversed != NULL && obstacle == NULL;
    TirBlock ahead = {0}, back = {0};
    if (!has_reverse || tir->derivation == DERIVATION_COUNTED) {
        take_arguments(asked);
        asked->out = &ahead;
        expand_forward(asked);
    }
    if (has_reverse) {
        take_arguments(asked);
        asked->out = &back;
        expand_reverse(asked, reversed->made);
    }
    asked->out = out;
    uint64_t forward = cost_of(asked->costs, &ahead), reverse = cost_of(asked->costs, &back);
    bool is_forward = back.count == 0 || (ahead.count > 0 && forward <= reverse);
    const TirBlock *chosen = is_forward ? &ahead : &back;
    tir_append(tir, out, chosen);
    TirDerived derived =
        tell_derived(tir, asked->caller, call, chosen, is_forward ? NULL : reversed);
    derived.cost = is_forward ? forward : reverse;
    derived.other = is_forward ? reverse : forward;
    LIST_PUSH(tir->arena, asked->derivatives, derived);
    // A derivative in reverse takes about four times its function, for each element of its value.
    uint64_t once = cost_of(asked->costs, &function->body);
    tell_cost(tir, &derived, 4 * once * value_type(asked)->numel, obstacle);
}

// What the calls of a program have in common.
typedef struct Deriving {
    Forward forward;
    Reverse reverse;
    Costs costs;
    TirDerivedList *derivatives;
} Deriving;

static void expand_block(Deriving *deriving, TirFunction *caller, TirBlock *block) {
    TirBlock out = {0};
    Tir *tir = deriving->forward.tir;
    Table values = share_values(tir, caller, block);
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        TirVar *value = table_get(&values, stmt);
        if (stmt->kind == STMT_CALL && stmt->call.derivative == NULL && value != NULL) {
            tir_set_var(tir, &out, stmt->call.results.items[0], tir_read(tir, value, stmt->span),
                        stmt->span);
            continue;
        }
        if (stmt->kind == STMT_CALL && stmt->call.derivative != NULL) {
            Asked asked = {.value = value,
                           .forward = &deriving->forward,
                           .reverse = &deriving->reverse,
                           .costs = &deriving->costs,
                           .caller = caller,
                           .call = stmt,
                           .derivatives = deriving->derivatives};
            expand(&asked, &out);
            continue;
        }
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            expand_block(deriving, caller, nested[k]);
        }
        LIST_PUSH(tir->arena, &out, stmt);
    }
    *block = out;
}

// Functions that were there for their derivatives go.

// Those that are there for rules, and what these call, which stay only where others call them.
static bool *find_rules(Tir *tir, const TirProgram *program) {
    size_t count = program->functions.count;
    bool *for_rules = ARENA_ARRAY(tir->arena, bool, count + 1);
    for (size_t i = count; i-- > 0;) {
        const TirRule *rule = program->functions.items[i]->rule;
        const TirFunction *all[] = {rule == NULL ? NULL : rule->kept,
                                    rule == NULL ? NULL : rule->slope,
                                    rule == NULL ? NULL : rule->adjoint};
        for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
            if (all[k] != NULL) {
                for_rules[all[k]->id] = true;
            }
        }
    }
    for (size_t i = count; i-- > 0;) { // callees stand before callers
        if (for_rules[i]) {
            tir_note_calls(&program->functions.items[i]->body, for_rules, for_rules);
        }
    }
    return for_rules;
}

// The functions that calls ask derivatives of, by id; whether there are any.
static bool find_asked(const TirProgram *program, bool *asked, bool *called) {
    bool any = false;
    for (size_t i = 0; i < program->functions.count; i++) {
        tir_note_calls(&program->functions.items[i]->body, called, asked);
    }
    for (size_t i = 0; i < program->functions.count; i++) {
        any = any || asked[i];
    }
    return any;
}

void pass_derive(Tir *tir, TirProgram *program) {
    size_t count = program->functions.count;
    bool *asked = ARENA_ARRAY(tir->arena, bool, count + 1);
    bool *called = ARENA_ARRAY(tir->arena, bool, count + 1);
    if (!find_asked(program, asked, called)) {
        return;
    }
    const bool *for_rules = find_rules(tir, program);
    Deriving deriving = {.forward = {.tir = tir, .actives.tir = tir},
                         .costs.tir = tir,
                         .derivatives = &program->derivatives};
    Forward *forward = &deriving.forward;
    deriving.reverse.forward = forward;
    for (size_t i = 0; i < count; i++) {
        TirFunction *function = program->functions.items[i];
        expand_block(&deriving, function, &function->body);
        LIST_PUSH(tir->arena, &forward->functions, function);
    }
    // Callers stand behind what they call, so going backwards all callers are known.
    size_t all = forward->functions.count;
    bool *stays = ARENA_ARRAY(tir->arena, bool, all + 1);
    for (size_t i = 0; i < all; i++) {
        TirFunction *function = forward->functions.items[i];
        bool is_made = function->id >= count || program->functions.items[function->id] != function;
        bool is_used = called[function->id] || function->exported;
        stays[i] = !is_made && !for_rules[function->id] && (!asked[function->id] || is_used);
        function->id = (uint32_t)i;
    }
    for (size_t i = all; i-- > 0;) {
        if (stays[i]) {
            tir_note_calls(&forward->functions.items[i]->body, stays, NULL);
        }
    }
    program->functions.count = 0;
    for (size_t i = 0; i < all; i++) {
        if (stays[i]) {
            tir_add_function(tir, program, forward->functions.items[i]);
        }
    }
}
