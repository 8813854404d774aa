// Instances that functions of the file run (L15.3). On the TIR of a cycle: whether inputs have
// values when an instance runs, outputs when they are read, and whether each instance runs once, in
// the right function. A function is walked where it is called, with the state of its caller.
#include "sema/system/system.h"

#include "sema/component/effects.h"
#include "support/bug.h"
#include "tir/uses.h"
#include "tir/visit.h"

#include <string.h>

// What paths to a statement have done with an instance, after its inputs: on all of them (must), on
// one of them (may).
enum { MUST_OUTPUT, MAY_OUTPUT, MUST_UPDATE, MAY_UPDATE, FACTS };

// A member of an instance by hand that a variable of this file is.
typedef struct HandVar {
    size_t instance;
    size_t position;
    bool is_input;
} HandVar;

typedef struct HandInstance {
    const Element *element;
    const Part *part;
    size_t at; // in the state: its inputs by position in the interface, then its facts
    bool has_message;
} HandInstance;

// For each input the elements that have a value (effects_all_elements), and the facts. NULL: no
// path comes here.
typedef uint64_t *State;

typedef struct HandLoop {
    struct HandLoop *outer;
    State after; // of its `break`s
    State next;  // of its `continue`s
    Loop turns;  // of a `for` that constants prove to run
} HandLoop;

typedef struct Hand {
    Checker *checker;
    HandInstance *instances;
    size_t count;
    size_t size;    // of a state
    Table vars;     // HandVar by TirVar
    Table by_tir;   // HandInstance by TirInstance
    bool *touches;  // by function: it, or what it calls, has to do with an instance
    TirPhase entry; // whose functions are walked
    State now;
    State returns; // of the function at hand
    HandLoop *loop;
} Hand;

// States.

static State copy_state(const Hand *hand, const uint64_t *state) {
    State copy = ARENA_ARRAY(hand->checker->arena, uint64_t, hand->size);
    memcpy(copy, state, hand->size * sizeof(*copy));
    return copy;
}

static bool is_may(const Hand *hand, size_t at) {
    size_t low = 0;
    size_t high = hand->count;
    while (high - low > 1) { // the instance whose part of the state it is
        size_t middle = (low + high) / 2;
        *(hand->instances[middle].at <= at ? &low : &high) = middle;
    }
    const HandInstance *instance = &hand->instances[low];
    size_t fact = at - instance->at - instance->element->tir->component->interface.count;
    return fact == MAY_OUTPUT || fact == MAY_UPDATE;
}

// Where two paths meet; `into` may be changed.
static State join(const Hand *hand, State into, const uint64_t *from) {
    if (into == NULL || from == NULL) {
        return into == NULL && from != NULL ? copy_state(hand, from) : into;
    }
    for (size_t k = 0; k < hand->size; k++) {
        if (into[k] != from[k]) {
            into[k] = is_may(hand, k) ? 1 : into[k] & from[k];
        }
    }
    return into;
}

static uint64_t *facts_of(const Hand *hand, const HandInstance *instance) {
    return hand->now + instance->at + instance->element->tir->component->interface.count;
}

// Messages.

static const char *name_of(const Hand *hand, const HandInstance *instance) {
    return system_name(hand->checker, instance->element->tir);
}

static void report_input(const Hand *hand, HandInstance *instance, const TirStmt *call,
                         const TirInterface *item) {
    const char *name = name_of(hand, instance);
    Diag *diag = check_error(hand->checker, DIAG_E0722, call->span,
                             "`%s.%s` has no value here on every path", name, item->name->text);
    diag_note_at(diag, item->span, "this input %s feedthrough is declared here",
                 item->has_feedthrough ? "with" : "without");
    diag_help(diag, "assign `%s.%s` before", name, item->name->text);
    instance->has_message = true;
}

static void report_wrong_entry(const Hand *hand, HandInstance *instance, const TirStmt *call,
                               TirPhase phase) {
    check_error(hand->checker, DIAG_E0754, call->span,
                "`%s.%s()` runs in `%s_fnc`, and this is reached from `%s_fnc`",
                name_of(hand, instance), tir_phase_text(phase), tir_phase_text(phase),
                tir_phase_text(hand->entry));
    instance->has_message = true;
}

static void report_twice(const Hand *hand, HandInstance *instance, const TirStmt *call,
                         TirPhase phase) {
    check_error(hand->checker, DIAG_E0754, call->span,
                "`%s.%s()` may run twice in a cycle: it has run on a path that comes here",
                name_of(hand, instance), tir_phase_text(phase));
    instance->has_message = true;
}

// Statements.

static void require_inputs(const Hand *hand, HandInstance *instance, const TirStmt *call,
                           bool feedthrough) {
    const TirProgram *component = instance->element->tir->component;
    for (size_t k = 0; k < component->interface.count && !instance->has_message; k++) {
        const TirInterface *item = component->interface.items[k];
        if (item->kind == INTERFACE_INPUT && item->is_present &&
            item->has_feedthrough == feedthrough &&
            hand->now[instance->at + k] != effects_all_elements(item->type)) {
            report_input(hand, instance, call, item);
        }
    }
}

static void run_output(const Hand *hand, HandInstance *instance, const TirStmt *call) {
    uint64_t *facts = facts_of(hand, instance);
    require_inputs(hand, instance, call, true);
    if (facts[MAY_OUTPUT] != 0 && !instance->has_message) {
        report_twice(hand, instance, call, TIR_OUTPUT);
    }
    facts[MUST_OUTPUT] = facts[MAY_OUTPUT] = 1;
}

static void run_update(const Hand *hand, HandInstance *instance, const TirStmt *call) {
    uint64_t *facts = facts_of(hand, instance);
    if (facts[MUST_OUTPUT] == 0 && !instance->has_message) {
        const char *name = name_of(hand, instance);
        Diag *diag = check_error(hand->checker, DIAG_E0722, call->span,
                                 "`%s.update()` runs on a path without `%s.output()`", name, name);
        diag_note(diag, "a cycle is `output()` in `output_fnc`, then `update()` in `update_fnc`");
        instance->has_message = true;
    }
    require_inputs(hand, instance, call, false);
    if (facts[MAY_UPDATE] != 0 && !instance->has_message) {
        report_twice(hand, instance, call, TIR_UPDATE);
    }
    facts[MUST_UPDATE] = facts[MAY_UPDATE] = 1;
}

static void run_instance(const Hand *hand, const TirStmt *call) {
    const TirFunction *function = call->call.function;
    HandInstance *instance = table_get(&hand->by_tir, function->instance);
    if (instance == NULL || function->phase == TIR_INIT) {
        return;
    }
    if (function->phase != hand->entry) {
        if (!instance->has_message) {
            report_wrong_entry(hand, instance, call, function->phase);
        }
        return;
    }
    if (function->phase == TIR_OUTPUT) {
        run_output(hand, instance, call);
    } else {
        run_update(hand, instance, call);
    }
}

static void read_expr(const TirExpr *expr, void *data) {
    Hand *hand = data;
    const HandVar *var = expr->kind == EXPR_VAR ? table_get(&hand->vars, expr->var) : NULL;
    if (var != NULL && !var->is_input) {
        HandInstance *instance = &hand->instances[var->instance];
        if (facts_of(hand, instance)[MUST_OUTPUT] == 0 && !instance->has_message) {
            const char *name = name_of(hand, instance);
            Diag *diag = check_error(
                hand->checker, DIAG_E0722, expr->span,
                "`%s` is read where `%s.output()` has not run on every path",
                check_expr_text(hand->checker, expr->span, expr->var->name->text), name);
            diag_note(diag, "it is computed by `%s.output()`, once its inputs are assigned", name);
            instance->has_message = true;
        }
    }
    tir_read_operands(expr, read_expr, hand);
}

// The elements that an assignment reaches, with the turns of the loops around it.
static uint64_t reached(const Hand *hand, const TirExpr *place) {
    size_t count = 0;
    for (const HandLoop *at = hand->loop; at != NULL; at = at->outer) {
        count++;
    }
    Loop *loops = ARENA_ARRAY(hand->checker->arena, Loop, count);
    size_t k = count;
    for (const HandLoop *at = hand->loop; at != NULL; at = at->outer) {
        loops[--k] = at->turns;
    }
    size_t outermost;
    return effects_reached(place, loops, count, &outermost);
}

static void write_place(const Hand *hand, const TirExpr *place) {
    const HandVar *var = table_get(&hand->vars, tir_place_var(place));
    if (var != NULL && var->is_input) {
        hand->now[hand->instances[var->instance].at + var->position] |= reached(hand, place);
    }
}

static void walk_block(Hand *hand, const TirBlock *block);

static void walk_function(Hand *hand, const TirFunction *function) {
    if (function == NULL || !hand->touches[function->id]) {
        return;
    }
    State returns = hand->returns;
    HandLoop *loop = hand->loop;
    hand->returns = NULL;
    hand->loop = NULL;
    walk_block(hand, &function->body);
    hand->now = join(hand, hand->returns, hand->now);
    hand->returns = returns;
    hand->loop = loop;
}

static void walk_if(Hand *hand, const TirStmt *stmt) {
    tir_read_exprs(stmt, read_expr, hand);
    const TirBlock *then = &stmt->branch.then;
    const TirStmt *only = then->count == 1 ? then->items[0] : NULL;
    bool is_rate = only != NULL && only->kind == STMT_CALL &&
                   only->call.function->instance != NULL &&
                   only->call.function->instance->every > 1;
    if (is_rate) { // where it does not run it counts as run
        run_instance(hand, only);
        return;
    }
    State otherwise = copy_state(hand, hand->now);
    walk_block(hand, then);
    State after = hand->now;
    hand->now = otherwise;
    walk_block(hand, &stmt->branch.otherwise);
    hand->now = join(hand, hand->now, after);
}

// The turns of a `for` that constants prove to run; others count none.
static Loop turns_of(const TirStmt *loop) {
    if (loop->kind != STMT_FOR || loop->for_loop.first->kind != EXPR_CONST ||
        loop->for_loop.last->kind != EXPR_CONST || loop->for_loop.step->kind != EXPR_CONST) {
        return (Loop){0};
    }
    int64_t first = loop->for_loop.first->data->integer;
    int64_t last = loop->for_loop.last->data->integer;
    int64_t step = loop->for_loop.step->data->integer;
    int64_t count = step == 0 ? 0 : shape_range_count(first, last, step);
    return count < 1
               ? (Loop){0}
               : (Loop){.var = loop->for_loop.var, .first = first, .step = step, .count = count};
}

// The body is walked twice, the second time with what one turn has done.
static void walk_loop(Hand *hand, const TirStmt *stmt) {
    bool is_while = stmt->kind == STMT_WHILE;
    HandLoop loop = {.outer = hand->loop, .turns = turns_of(stmt)};
    if (!is_while) {
        tir_read_exprs(stmt, read_expr, hand);
    }
    hand->loop = &loop;
    State before = copy_state(hand, hand->now);
    for (int turn = 0; turn < 2 && hand->now != NULL; turn++) {
        if (is_while) {
            walk_block(hand, &stmt->while_loop.before);
            tir_read_exprs(stmt, read_expr, hand);
        }
        walk_block(hand, is_while ? &stmt->while_loop.body : &stmt->for_loop.body);
        hand->now = join(hand, hand->now, loop.next);
        if (turn == 0 && hand->now != NULL && loop.turns.count != 1) {
            hand->now = join(hand, hand->now, before);
        } else if (loop.turns.count == 1) {
            break;
        }
    }
    hand->loop = loop.outer;
    if (loop.turns.count == 0) {
        hand->now = join(hand, hand->now, before);
    }
    hand->now = join(hand, hand->now, loop.after);
}

static void walk_stmt(Hand *hand, const TirStmt *stmt) {
    switch (stmt->kind) {
    case STMT_SET:
        tir_read_values(stmt, read_expr, hand);
        write_place(hand, stmt->set.place);
        return;
    case STMT_CALL:
        tir_read_exprs(stmt, read_expr, hand);
        if (stmt->call.function->instance != NULL) {
            run_instance(hand, stmt);
        } else {
            walk_function(hand, stmt->call.function);
        }
        return;
    case STMT_IF: walk_if(hand, stmt); return;
    case STMT_FOR:
    case STMT_WHILE: walk_loop(hand, stmt); return;
    case STMT_BREAK:
        CHECK(hand->loop != NULL);
        hand->loop->after = join(hand, hand->loop->after, hand->now);
        hand->now = NULL;
        return;
    case STMT_CONTINUE:
        CHECK(hand->loop != NULL);
        hand->loop->next = join(hand, hand->loop->next, hand->now);
        hand->now = NULL;
        return;
    case STMT_RETURN:
        hand->returns = join(hand, hand->returns, hand->now);
        hand->now = NULL;
        return;
    case STMT_NEST: break; // made by passes
    case STMT_PRINT:
    case STMT_INPUT:
    case STMT_OUTPUT:
    case STMT_ASSERT: tir_read_exprs(stmt, read_expr, hand); return;
    }
    UNREACHABLE();
}

static void walk_block(Hand *hand, const TirBlock *block) {
    for (size_t k = 0; k < block->count && hand->now != NULL; k++) {
        walk_stmt(hand, block->items[k]);
    }
}

// The system.

static void add_vars(Hand *hand, size_t number) {
    const HandInstance *instance = &hand->instances[number];
    const Element *element = instance->element;
    for (size_t k = 0; k < element->tir->component->interface.count; k++) {
        const TirInterface *item = element->tir->component->interface.items[k];
        bool is_input = item->kind == INTERFACE_INPUT;
        if (element->vars[k] == NULL ||
            !(is_input || (item->kind == INTERFACE_OUTPUT && item->has_feedthrough))) {
            continue;
        }
        HandVar *var = ARENA_NEW(hand->checker->arena, HandVar);
        *var = (HandVar){number, k, is_input};
        table_set(hand->checker->arena, &hand->vars, element->vars[k], var);
    }
}

static void add_instances(Hand *hand, const System *system) {
    size_t most = 0;
    for (size_t k = 0; k < system->parts.count; k++) {
        most += system->parts.items[k]->by_hand ? system->parts.items[k]->count : 0;
    }
    hand->instances = ARENA_ARRAY(hand->checker->arena, HandInstance, most);
    for (size_t k = 0; k < system->parts.count; k++) {
        const Part *part = system->parts.items[k];
        for (uint32_t i = 0; part->by_hand && i < part->count; i++) {
            HandInstance *instance = &hand->instances[hand->count];
            *instance =
                (HandInstance){.element = &part->elements[i], .part = part, .at = hand->size};
            hand->size += instance->element->tir->component->interface.count + FACTS;
            table_set(hand->checker->arena, &hand->by_tir, instance->element->tir, instance);
            add_vars(hand, hand->count++);
        }
    }
}

static bool is_member(const TirExpr *expr, const void *vars) {
    return expr->kind == EXPR_VAR && table_get(vars, expr->var) != NULL;
}

static bool has_to_do(TirStmt *stmt, void *data) {
    const Hand *hand = data;
    return tir_any_expr_of(stmt, is_member, &hand->vars) ||
           (stmt->kind == STMT_CALL && hand->touches[stmt->call.function->id]);
}

// Callees come first.
static void find_touching(Hand *hand) {
    const TirProgram *program = hand->checker->program;
    hand->touches = ARENA_ARRAY(hand->checker->arena, bool, program->functions.count + 1);
    for (size_t k = 0; k < program->functions.count; k++) {
        const TirFunction *function = program->functions.items[k];
        bool is_instance = function->instance != NULL;
        hand->touches[k] = is_instance ? table_get(&hand->by_tir, function->instance) != NULL
                                       : tir_any_stmt(&function->body, has_to_do, hand);
    }
}

static void warn_missed(const Hand *hand) {
    for (size_t k = 0; k < hand->count; k++) {
        HandInstance *instance = &hand->instances[k];
        bool does_nothing = instance->element->tir->component->update == NULL;
        if (does_nothing || instance->has_message || facts_of(hand, instance)[MUST_UPDATE] != 0) {
            continue;
        }
        bool never = facts_of(hand, instance)[MAY_UPDATE] == 0;
        const char *name = name_of(hand, instance);
        Diag *diag =
            check_warning(hand->checker, WARNING_MISSED_UPDATE, instance->element->tir->span,
                          never ? "nothing calls `%s.update()`"
                                : "`%s.update()` is not called on every path of a cycle",
                          name);
        diag_note(diag, "its state stands still in a cycle without it");
        return; // the others are likely the same
    }
}

void system_check_by_hand(Checker *checker, System *system) {
    Hand hand = {.checker = checker};
    add_instances(&hand, system);
    if (hand.count == 0) {
        return;
    }
    find_touching(&hand);
    uint64_t *nothing = ARENA_ARRAY(checker->arena, uint64_t, hand.size);
    hand.now = copy_state(&hand, nothing);
    hand.entry = TIR_INIT;
    walk_block(&hand, &checker->at.function->body);
    hand.now = copy_state(&hand, nothing);
    hand.entry = TIR_OUTPUT;
    walk_function(&hand, system->output);
    hand.entry = TIR_UPDATE;
    walk_function(&hand, system->update);
    if (hand.now != NULL && checker->context->diags->error_count == 0) {
        warn_missed(&hand);
    }
}
