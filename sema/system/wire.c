// What wires compute (L15.4). The right side of each one is checked where it stands, as an
// expression of the function that will run it; order.c says when.
#include "sema/system/system.h"

#include "sema/component/component.h"
#include "sema/component/infer.h"
#include "sema/constant.h"
#include "sema/expr.h"
#include "sema/notes/record.h"
#include "sema/stmt.h"
#include "sema/value.h"
#include "support/bug.h"
#include "support/suggest.h"
#include "tir/constant.h"

#include <string.h>

// Targets.

static bool report_wire_target(Checker *checker, const AstExpr *target) {
    Diag *diag = check_error(checker, DIAG_E0202, target->span,
                             "a wire goes to an input of an instance or to an output of this file");
    const AstExpr *space = target->kind == AST_ATTR ? target->attr.object : target;
    if (space->kind == AST_ATTR && strcmp(space->attr.name.name->text, "t") == 0 &&
        system_part(checker, space->attr.object) != NULL) {
        diag_help(diag, "leave `t.` out");
        diag_edit(diag, (Span){space->attr.name.span.start, target->attr.name.span.start}, "%s",
                  "");
    } else {
        diag_note(diag, "as in `connect speed.r = t.ref` and `connect t.u = speed.u`");
    }
    return false;
}

// The instance with the nearest name, or NULL.
static const char *nearest_part(const Checker *checker, Name name) {
    const System *system = checker->at.unit->system;
    Suggestion suggestion = suggestion_for_name(name);
    for (size_t k = 0; k < system->parts.count; k++) {
        suggestion_try(&suggestion, system->parts.items[k]->name->text);
    }
    return suggestion.nearest;
}

static bool find_own_output(Checker *checker, Wire *wire, const AstExpr *target) {
    const TirInterface *item = check_find_interface(checker, target);
    if (item == NULL) {
        return false;
    }
    infer_written(checker, item);
    if (type_is_poison(item->type)) {
        wire->output = item;
        return infer_is_on(checker); // its value tells its type
    }
    wire->output = item;
    wire->has_feedthrough = item->has_feedthrough;
    return true;
}

static bool find_index(Checker *checker, Wire *wire, const AstExpr *index) {
    if (index == NULL) {
        wire->is_all = wire->part->is_array;
        return true;
    }
    int64_t value = -1;
    TirExpr *expr = index->index.indices.count == 1
                        ? check_constant(checker, index->index.indices.items[0])
                        : checker->poison;
    if (type_is_poison(expr->type)) {
        return false;
    }
    if (!wire->part->is_array) {
        return check_refuse(checker, DIAG_E0602, index->span,
                            "`%s` is one instance and has no index", wire->part->name->text);
    }
    if (!constant_integer(&checker->tir, expr, &value)) {
        return check_refuse(checker, DIAG_E0414, index->span, "an index of `%s` must be a constant",
                            wire->part->name->text);
    }
    // Whether there is so much of it is asked when its length is known.
    wire->element = value < 0 || value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
    return true;
}

bool system_has_wire(const Checker *checker, const char *part, const char *input) {
    const System *system = checker->at.unit->system;
    for (size_t k = 0; k < system->wires.count; k++) {
        const AstExpr *target = system->wires.items[k]->ast->connect.target;
        if (target->kind == AST_ATTR && target->attr.object->kind == AST_NAME &&
            strcmp(target->attr.object->name.name->text, part) == 0 &&
            strcmp(target->attr.name.name->text, input) == 0) {
            return true;
        }
    }
    return false;
}

static bool find_target(Checker *checker, Wire *wire) {
    const AstExpr *target = wire->ast->connect.target;
    if (system_is_refused(checker, target)) {
        return false;
    }
    if (check_is_interface(checker, target)) {
        return find_own_output(checker, wire, target);
    }
    if (target->kind != AST_ATTR) {
        return report_wire_target(checker, target);
    }
    const AstExpr *object = target->attr.object;
    const AstExpr *index = object->kind == AST_INDEX ? object : NULL;
    object = index != NULL ? index->index.object : object;
    wire->part = system_part(checker, object);
    if (wire->part == NULL) {
        if (object->kind != AST_NAME) {
            return report_wire_target(checker, target);
        }
        const Symbol *symbol = scope_find(checker->at.scope, object->name.name);
        if (symbol != NULL) {
            return report_wire_target(checker, target);
        }
        Diag *diag = check_error(checker, DIAG_E0301, object->span, "unknown instance `%s`",
                                 object->name.name->text);
        const char *nearest = nearest_part(checker, object->name.name);
        if (nearest != NULL) {
            diag_help(diag, "did you mean `%s`?", nearest);
        }
        if (nearest != NULL && !system_has_wire(checker, nearest, target->attr.name.name->text)) {
            diag_edit(diag, object->span, "%s", nearest);
        }
        return false;
    }
    notes_name(checker, NAME_INSTANCE, wire->part->name, wire->part->ast->instance.name.span,
               object->span);
    wire->input = check_macro_name(checker, &target->attr.name);
    return wire->input != NULL && find_index(checker, wire, index);
}

void system_find_targets(Checker *checker, System *system) {
    MacroBinding *outside = checker->at.macros;
    for (size_t k = 0; k < system->wires.count; k++) {
        Wire *wire = system->wires.items[k];
        checker->at.macros = wire->macros;
        wire->failed = !find_target(checker, wire);
        if (wire->part != NULL && !wire->failed) {
            LIST_PUSH(checker->arena, &wire->part->wires, wire);
        }
        const AstExpr *value = wire->ast->connect.value;
        if (check_is_interface(checker, value)) {
            wire->forwards = check_find_optional(checker, value);
        }
    }
    checker->at.macros = outside;
}

// Values.

// Checks `ast` as the right side of a wire of `function`, with statements in the wire's block.
static TirExpr *lower_value(Checker *checker, Wire *wire, TirFunction *function,
                            const AstExpr *ast) {
    CheckPlace outside = checker->at;
    GuardFact forwarded = {wire->forwards, checker->at.guards};
    if (wire->forwards != NULL && wire->takes_optional) {
        checker->at.guards = &forwarded;
    }
    checker->at.function = function;
    checker->at.block = &wire->block;
    checker->at.wire = wire;
    checker->at.mode = (CheckMode){.pure = true};
    memset(&checker->at.held, 0, sizeof checker->at.held);
    TirExpr *value = check_value(checker, ast);
    checker->at = outside;
    return value;
}

void system_note_input(Checker *checker, const TirInterface *item, Span span) {
    WireRead read = {.terminal = item, .span = span};
    LIST_PUSH(checker->arena, &checker->at.wire->reads, read);
}

bool system_is_delay(const Checker *checker, const AstExpr *ast) {
    return checker->at.wire != NULL && strcmp(ast->call.callee->name.name->text, "delay") == 0;
}

// What the variable of a delay has before the first cycle; NULL after an error.
static TirExpr *initial_value(Checker *checker, const AstExpr *ast, const Type *type, Span origin) {
    struct Wire *wire = checker->at.wire;
    CheckMode mode = checker->at.mode;
    checker->at.wire = NULL; // what is no constant is told as such
    checker->at.mode.unevaluated = true;
    TirExpr *value = check_constant(checker, ast);
    checker->at.mode = mode;
    checker->at.wire = wire;
    value = check_assignable(checker, type, value, "the value of `delay`", origin);
    if (type_is_poison(value->type)) {
        return NULL;
    }
    const TirScalar *data = constant_values(&checker->tir, value);
    if (data == NULL) {
        Diag *diag = check_error(checker, DIAG_E0414, ast->span,
                                 "the initial value of a `delay` must be a constant");
        check_note_not_constant(checker, diag, ast);
        return NULL;
    }
    return tir_const(&checker->tir, type, data, ast->span);
}

TirExpr *system_delay(Checker *checker, const AstExpr *ast) {
    System *system = checker->at.unit->system;
    if (ast->call.args.count != 2 || ast->call.bang) {
        Diag *diag = check_error(checker, DIAG_E0711, ast->span, "`delay` has 2 arguments, not %u",
                                 ast->call.args.count);
        diag_note(diag,
                  "`delay(e, initial)` is `e` of the cycle before, and `initial` in the first");
        return checker->poison;
    }
    Delay *delay = ARENA_NEW(checker->arena, Delay);
    delay->wire.span = ast->span;
    TirExpr *value = lower_value(checker, &delay->wire, system->update, ast->call.args.items[0]);
    if (type_is_poison(value->type)) {
        return checker->poison;
    }
    for (size_t k = 0; k < delay->wire.reads.count; k++) {
        WireRead read = delay->wire.reads.items[k];
        read.is_delayed = true;
        LIST_PUSH(checker->arena, &checker->at.wire->reads, read);
    }
    TirExpr *initial =
        initial_value(checker, ast->call.args.items[1], value->type, ast->call.args.items[0]->span);
    if (initial == NULL) {
        return checker->poison;
    }
    Name name = system_hidden_name(
        checker, arena_format(checker->arena, "delay_%zu", system->delays.count + 1));
    delay->var = tir_var_create(&checker->tir, NULL, VAR_GLOBAL, name, value->type, ast->span);
    LIST_PUSH(checker->arena, &checker->program->globals, delay->var);
    LIST_PUSH(checker->arena, &system->delays, delay);
    tir_set_var(&checker->tir, system->start, delay->var, initial, ast->span);
    delay->next =
        tir_var_create(&checker->tir, system->update, VAR_TEMP, NULL, value->type, ast->span);
    tir_set_var(&checker->tir, &delay->wire.block, delay->next, value, ast->span);
    return check_read(checker, delay->var, ast->span);
}

// Wires.

// A wire to what another one feeds already: E0750, if that has not been said.
static bool require_first(Checker *checker, Table *fed, const void *target, const Wire *wire,
                          bool is_said) {
    const Wire *before = table_get(fed, target);
    table_set(checker->arena, fed, target, (void *)wire);
    if (before == NULL || is_said) {
        return true;
    }
    Diag *diag = check_error(checker, DIAG_E0750, wire->span, "`%s` is connected twice",
                             check_expr_text(checker, wire->span, "this"));
    diag_label(diag, before->span, "first connected here");
    return false;
}

// `connect t.ref = speed.r`, where what takes the value stands on the right.
static void offer_turned(Checker *checker, Diag *diag, const Wire *wire) {
    const AstExpr *target = wire->ast->connect.target;
    const AstExpr *value = wire->ast->connect.value;
    const TirInterface *taker = system_terminal(checker, value);
    bool is_turned = taker != NULL && taker->kind == INTERFACE_INPUT;
    if (wire->part != NULL && !is_turned) {
        taker = check_is_interface(checker, value) ? check_find_interface(checker, value) : NULL;
        is_turned = taker != NULL && taker->kind == INTERFACE_OUTPUT;
    }
    if (is_turned) {
        Slice first = sources_text(checker->context->sources, value->span);
        Slice second = sources_text(checker->context->sources, target->span);
        const char *text = arena_format(checker->arena, "%.*s = %.*s", (int)first.len, first.data,
                                        (int)second.len, second.data);
        diag_help(diag, "write `connect %s`: what takes the value comes first", text);
        diag_edit(diag, (Span){target->span.start, value->span.end}, "%s", text);
    }
}

// The input that a wire feeds, of all elements the first one's; NULL after an error.
static const TirInterface *find_input(Checker *checker, const Wire *wire) {
    Part *part = wire->part;
    if (part->by_hand) {
        Diag *diag = check_error(checker, DIAG_E0752, wire->span,
                                 "`%s` is run by hand and takes no wires", part->name->text);
        diag_note_at(diag, part->hand_span,
                     "a function of this file assigns its inputs or calls it");
        return NULL;
    }
    if (!wire->is_all && wire->element >= part->count) {
        check_error(checker, DIAG_E0603, wire->span, "`%s` has %u instances, from 0 to %u",
                    part->name->text, (unsigned)part->count, (unsigned)part->count - 1);
        return NULL;
    }
    const AstName *name = &wire->ast->connect.target->attr.name;
    const TirInterface *item = system_find_terminal(checker, part, wire->element, name);
    if (item == NULL) {
        return NULL;
    }
    notes_interface(checker, item, name->span, true);
    if (item->kind != INTERFACE_INPUT) {
        Diag *diag = check_error(checker, DIAG_E0720, wire->span,
                                 "`%s` is an output of an instance: a wire goes to inputs",
                                 check_expr_text(checker, wire->span, item->name->text));
        diag_note_at(diag, item->span, "it is declared here");
        offer_turned(checker, diag, wire);
        return NULL;
    }
    return item;
}

bool system_is_late(const Wire *wire) {
    for (size_t k = 0; k < wire->reads.count; k++) {
        const WireRead *read = &wire->reads.items[k];
        if (wire_read_waits(read) && read->part->by_hand) {
            return true;
        }
    }
    return false;
}

// An output that is present only when --with connects it takes nothing else.
static void lower_to_output(Checker *checker, const System *system, Wire *wire) {
    const TirInterface *item = wire->output;
    TirFunction *function = item->has_feedthrough ? system->output : system->update;
    TirExpr *value = lower_value(checker, wire, function, wire->ast->connect.value);
    infer_assigned(checker, wire->ast->connect.target, value, false);
    infer_connected(checker, item, system_is_late(wire));
    const char *what = arena_format(checker->arena, "`%s`", check_interface_text(checker, item));
    value = check_assignable(checker, item->type, value, what, item->span);
    if (type_is_poison(value->type)) {
        return;
    }
    tir_set_var(&checker->tir, &wire->block, item->var, value, wire->span);
    function->writes_globals = function->uses_interface = true;
    if (!item->has_feedthrough) { // what it shows in the first cycle
        TirExpr *zero = check_cast(checker, item->type,
                                   tir_const_bool(&checker->tir, false, wire->span), wire->span);
        tir_set_var(&checker->tir, system->start, item->var, zero, wire->span);
    }
    if (!item->is_present) {
        wire->block = (TirBlock){0};
    }
}

static void lower_to_input(Checker *checker, const System *system, Wire *wire,
                           const TirInterface *item) {
    wire->has_feedthrough = item->has_feedthrough;
    wire->takes_optional = item->is_optional;
    if (wire->forwards != NULL && item->is_optional && !wire->forwards->is_present) {
        wire->failed = true; // neither of them is there
        return;
    }
    TirFunction *function = item->has_feedthrough ? system->output : system->update;
    TirExpr *value = lower_value(checker, wire, function, wire->ast->connect.value);
    if (type_is_poison(value->type)) {
        return;
    }
    CheckPlace outside = checker->at;
    checker->at.function = function;
    checker->at.block = &wire->block;
    system_store(checker, wire, item, value);
    checker->at = outside;
}

// What an instance by hand gives in this cycle is known only when the functions of this file have
// run.
static void require_known(Checker *checker, const Wire *wire) {
    for (size_t k = 0; k < wire->reads.count; k++) {
        const WireRead *read = &wire->reads.items[k];
        bool is_late = wire_read_waits(read) && read->part->by_hand;
        if (!is_late || wire->part == NULL || !wire->has_feedthrough) {
            continue;
        }
        Diag *diag = check_error(checker, DIAG_E0722, read->span,
                                 "`%s` has no value yet: `%s` is run by hand, after all wired "
                                 "instances",
                                 check_expr_text(checker, read->span, read->terminal->name->text),
                                 read->part->name->text);
        diag_note(diag, "an input without feedthrough, a `delay` or an output of this file can "
                        "take it");
    }
}

// A wire to a name of this file goes to an output; else E0720.
static bool require_output(Checker *checker, Wire *wire) {
    const TirInterface *item = wire->output;
    if (item->kind == INTERFACE_OUTPUT || type_is_poison(item->type)) {
        return true;
    }
    Diag *diag = check_error(checker, DIAG_E0720, wire->span,
                             "`%s` is no output: a wire gives its value to an output of this "
                             "file or to an input of an instance",
                             check_interface_text(checker, item));
    diag_note_at(diag, item->span, "it is declared here");
    offer_turned(checker, diag, wire);
    wire->output = NULL;
    return false;
}

// Notes the inputs that a wire feeds. They are alike in all elements of an array, and either all
// with feedthrough or none.
static void feed(Checker *checker, Table *fed, Wire *wire, const TirInterface *item) {
    for (uint32_t k = 0; k < wire->part->count; k++) {
        Element *element = &wire->part->elements[k];
        size_t position;
        if (!wire->is_all && k != wire->element) {
            continue;
        }
        if (!system_find_alike(element, item, &position) ||
            element->tir->component->interface.items[position]->has_feedthrough !=
                item->has_feedthrough) {
            system_report_unlike(
                checker,
                arena_format(checker->arena, "`%s`", check_expr_text(checker, wire->span, "this")),
                wire->span);
            wire->failed = true;
            return;
        }
        if (!require_first(checker, fed, &element->vars[position], wire, wire->failed)) {
            wire->failed = true;
        }
    }
}

static void lower_wire(Checker *checker, const System *system, Wire *wire, Table *fed) {
    if (wire->part == NULL) {
        if (!require_output(checker, wire)) {
            wire->failed = true;
        } else if (require_first(checker, fed, wire->output, wire, false)) {
            lower_to_output(checker, system, wire);
        }
        return;
    }
    const TirInterface *item = wire->part->failed ? NULL : find_input(checker, wire);
    if (item == NULL) {
        wire->failed = true;
        return;
    }
    feed(checker, fed, wire, item);
    if (!wire->failed) {
        lower_to_input(checker, system, wire, item);
        require_known(checker, wire);
    }
}

// What is left out.

static void set_default(Checker *checker, System *system, Element *element, size_t position) {
    const TirInterface *item = element->tir->component->interface.items[position];
    TirVar *var = system_var(checker, element, position);
    tir_set_var(&checker->tir, system->start, var,
                tir_const(&checker->tir, item->type, item->value->data, item->span), item->span);
}

// Whether the right side of a wire is a terminal of the part, as when it was written turned round.
static bool is_read_from(const Checker *checker, const Wire *wire, const Part *part) {
    const AstExpr *value = wire->ast == NULL ? NULL : wire->ast->connect.value;
    const AstExpr *object = value == NULL || value->kind != AST_ATTR ? NULL : value->attr.object;
    object = object != NULL && object->kind == AST_INDEX ? object->index.object : object;
    return object != NULL && system_part(checker, object) == part;
}

// Whether a wire that is wrong may be meant for an input of the part: it was told.
static bool is_miswired(const Checker *checker, const System *system, const Part *part) {
    for (size_t k = 0; k < system->wires.count; k++) {
        const Wire *wire = system->wires.items[k];
        bool may_be = wire->part == part || wire->part == NULL || is_read_from(checker, wire, part);
        if (wire->failed && wire->forwards == NULL && may_be) {
            return true;
        }
    }
    return system->is_broken;
}

// Inputs without a wire have their defaults, or are E0751.
static void check_inputs(Checker *checker, System *system, const Part *part, const Table *fed) {
    const char *missing = "";
    size_t count = 0;
    const TirInterface *first = NULL;
    const char *owner = NULL; // the element that lacks it
    for (uint32_t k = 0; k < part->count; k++) {
        Element *element = &part->elements[k];
        const TirProgram *component = element->tir->component;
        for (size_t i = 0; i < component->interface.count; i++) {
            const TirInterface *item = component->interface.items[i];
            bool is_open = item->kind == INTERFACE_INPUT && item->is_present &&
                           table_get(fed, &element->vars[i]) == NULL;
            if (is_open && item->value != NULL) {
                set_default(checker, system, element, i);
            } else if (is_open && !part->by_hand) {
                missing =
                    arena_format(checker->arena, "%s%s`%s.%s`", missing, count == 0 ? "" : ", ",
                                 system_name(checker, element->tir), item->name->text);
                owner = count == 0 ? system_name(checker, element->tir) : owner;
                first = count++ == 0 ? item : first;
            }
        }
    }
    if (count > 0 && !is_miswired(checker, system, part)) {
        Diag *diag = check_error(checker, DIAG_E0751, part->ast->instance.name.span,
                                 "%s %s no wire", missing, count == 1 ? "has" : "have");
        diag_note_at(diag, first->span, "the input `%s` is declared here", first->name->text);
        diag_help(diag, "`connect %s.%s = ...`, or a default where it is declared", owner,
                  first->name->text);
    }
}

// Note [Assigned and connected]
// An output of this file is connected or assigned. What a function assigns is found in its TIR,
// when all of them are checked.
static bool block_writes(const TirBlock *block, const TirVar *var, Span *where) {
    for (size_t k = 0; k < block->count; k++) {
        TirStmt *stmt = block->items[k];
        if (stmt->kind == STMT_SET && tir_place_var(stmt->set.place) == var) {
            *where = stmt->span;
            return true;
        }
        TirBlock *nested[2];
        for (size_t i = tir_stmt_blocks(stmt, nested); i-- > 0;) {
            if (block_writes(nested[i], var, where)) {
                return true;
            }
        }
    }
    return false;
}

void system_check_outputs(Checker *checker, const System *system) {
    for (size_t k = 0; k < system->wires.count; k++) {
        const Wire *wire = system->wires.items[k];
        for (size_t i = 0; wire->output != NULL && i < checker->program->functions.count; i++) {
            Span where;
            const TirFunction *function = checker->program->functions.items[i];
            if (!block_writes(&function->body, wire->output->var, &where)) {
                continue;
            }
            Diag *diag =
                check_error(checker, DIAG_E0750, wire->span, "`%s` is connected and assigned",
                            check_interface_text(checker, wire->output));
            diag_label(diag, where, "assigned here");
            break;
        }
    }
}

void system_connect(Checker *checker, System *system) {
    MacroBinding *outside = checker->at.macros;
    Table fed = {0};
    for (size_t k = 0; k < system->wires.count; k++) {
        Wire *wire = system->wires.items[k];
        checker->at.macros = wire->macros;
        if (!wire->failed) {
            lower_wire(checker, system, wire, &fed);
        }
    }
    checker->at.macros = outside;
    for (size_t k = 0; k < system->parts.count; k++) {
        if (!system->parts.items[k]->failed) {
            check_inputs(checker, system, system->parts.items[k], &fed);
        }
    }
}
