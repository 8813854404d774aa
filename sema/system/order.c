// When the parts of a system run (L15.4 to L15.6). A cycle is two functions around those of the
// file. In the first one, outputs without feedthrough are published, and each wired instance runs
// as soon as the wires to its inputs with feedthrough can be read; of those that can run, the one
// that is declared first. In the second, the other inputs are read before the first update.
#include "sema/system/system.h"

#include "parser/ast_visit.h"
#include "sema/component/component.h"
#include "sema/expr.h"
#include "sema/stmt.h"
#include "sema/value.h"
#include "support/bug.h"
#include "tir/visit.h"

#include <string.h>

// One wired instance among those to be put in order.
typedef struct Node {
    Part *part;
    Element *element;
    LIST_OF(Wire *) before; // wires to its inputs with feedthrough
    LIST_OF(Wire *) after;  // wires with feedthrough that read its outputs
    size_t waits;           // for so many wires
    bool is_done;
} Node;

typedef struct Order {
    Checker *checker;
    Node *nodes;
    size_t count;
    Table by_element; // Node
    size_t done;
    size_t next; // no node before it is ready
} Order;

// The graph.

static void create_nodes(Order *order, const System *system) {
    Arena *arena = order->checker->arena;
    for (size_t k = 0; k < system->parts.count; k++) {
        order->count += system->parts.items[k]->count;
    }
    order->nodes = ARENA_ARRAY(arena, Node, order->count);
    order->count = 0;
    for (size_t k = 0; k < system->parts.count; k++) {
        Part *part = system->parts.items[k];
        for (uint32_t i = 0; i < part->count && !part->by_hand; i++) {
            Node *node = &order->nodes[order->count++];
            node->part = part;
            node->element = &part->elements[i];
            table_set(arena, &order->by_element, node->element, node);
        }
    }
}

static bool reads_before(const Wire *wire, size_t k) {
    for (size_t i = 0; i < k; i++) {
        if (wire->reads.items[i].element == wire->reads.items[k].element &&
            wire_read_waits(&wire->reads.items[i])) {
            return true;
        }
    }
    return false;
}

static void link_wire(Order *order, Wire *wire) {
    Arena *arena = order->checker->arena;
    for (size_t k = 0; k < wire->reads.count; k++) {
        const WireRead *read = &wire->reads.items[k];
        Node *node = table_get(&order->by_element, read->element);
        if (node != NULL && wire_read_waits(read) && !reads_before(wire, k)) {
            LIST_PUSH(arena, &node->after, wire);
            wire->waits++;
        }
    }
    for (uint32_t k = 0; wire->part != NULL && k < wire->part->count; k++) {
        if (wire->is_all || k == wire->element) {
            Node *node = table_get(&order->by_element, &wire->part->elements[k]);
            LIST_PUSH(arena, &node->before, wire);
            node->waits += wire->waits > 0;
        }
    }
}

static void wire_is_ready(Order *order, Wire *wire) {
    for (uint32_t k = 0; wire->part != NULL && k < wire->part->count; k++) {
        if (wire->is_all || k == wire->element) {
            Node *node = table_get(&order->by_element, &wire->part->elements[k]);
            node->waits--;
            size_t number = (size_t)(node - order->nodes);
            order->next = node->waits == 0 && number < order->next ? number : order->next;
        }
    }
}

// Algebraic loops.

// The first wire to the node that waits for an instance that has not run, and that instance.
static const Wire *blocking_wire(const Order *order, const Node *node, Node **from) {
    for (size_t k = 0; k < node->before.count; k++) {
        const Wire *wire = node->before.items[k];
        for (size_t i = 0; i < wire->reads.count; i++) {
            const WireRead *read = &wire->reads.items[i];
            *from = table_get(&order->by_element, read->element);
            if (wire_read_waits(read) && *from != NULL && !(*from)->is_done) {
                return wire;
            }
        }
    }
    UNREACHABLE();
}

// For an AstVisitor: whether it may be that input.
static bool is_input(const AstExpr *expr, void *data) {
    const Name *input = data;
    return expr->kind == AST_ATTR && expr->attr.object->kind == AST_NAME &&
           strcmp(expr->attr.object->name.name->text, "t") == 0 &&
           (expr->attr.name.name == *input || expr->attr.name.macro_indices.count > 0);
}

// The declaration of an input, `in real t.v`, that has feedthrough though nothing but `update_fnc`
// reads it, as far as the text of its file tells; NULL: there is none.
static const AstStmt *idle_feedthrough(const AstFile *file, Name input) {
    const AstStmt *declaration = NULL;
    AstVisitor visitor = {.expr = is_input, .data = &input};
    for (size_t k = 0; k < file->statements.count; k++) {
        const AstStmt *stmt = file->statements.items[k];
        bool is_update =
            stmt->kind == AST_FUNCTION && strcmp(stmt->function.name.name->text, "update_fnc") == 0;
        if (!is_update && ast_visit_stmt(stmt, &visitor)) {
            return NULL;
        }
        bool declares = stmt->kind == AST_TERMINAL && stmt->terminal.name.name == input &&
                        stmt->terminal.modifiers == AST_MODIFIER_IN;
        declaration = declares ? stmt : declaration;
    }
    return declaration;
}

// Offers to break the circle where that changes nothing: false where no input of it is such.
static bool offer_no_feedthrough(const Order *order, Diag *diag, const Node *node, Name input) {
    const Part *part = node->part;
    const AstStmt *declaration = part->file == NULL ? NULL : idle_feedthrough(part->file, input);
    if (declaration == NULL) {
        return false;
    }
    Slice text = sources_text(order->checker->context->sources, declaration->span);
    Slice path = part->ast->instance.path;
    diag_help(diag,
              "write `not feedthrough %.*s` in `%.*s`, where only `update_fnc` reads it: that "
              "ends this loop",
              (int)text.len, text.data, (int)path.len, path.data);
    return true;
}

// Every instance that is left waits for another one: going back from one to the next ends in a
// circle.
static void report_loop(const Order *order) {
    Checker *checker = order->checker;
    size_t *seen = ARENA_ARRAY(checker->arena, size_t, order->count);
    Node *node = order->nodes;
    while (node->is_done) {
        node++;
    }
    for (size_t step = 1; seen[node - order->nodes] == 0; step++) {
        seen[node - order->nodes] = step;
        blocking_wire(order, node, &node);
    }
    Node *from;
    const Wire *wire = blocking_wire(order, node, &from);
    Diag *diag = check_error(checker, DIAG_E0753, wire->span,
                             "an algebraic loop: `%s` needs its own output in the same cycle",
                             system_name(checker, node->element->tir));
    const char *path = system_name(checker, node->element->tir);
    Node *at = node;
    bool is_offered = false;
    do {
        wire = blocking_wire(order, at, &from);
        const char *name = system_name(checker, at->element->tir);
        const char *source = system_name(checker, from->element->tir);
        diag_note_at(diag, wire->span, "`%s.%s` waits for `%s`", name, wire->input->text, source);
        path = arena_format(checker->arena, "%s -> %s", source, path);
        is_offered = is_offered || offer_no_feedthrough(order, diag, at, wire->input);
        at = from;
    } while (at != node);
    diag_note(diag, "%s", path);
    if (!is_offered) {
        diag_help(diag,
                  "break it where a cycle may pass: `delay(e, initial)` in one of these wires, or "
                  "`not feedthrough` on an output that needs no input of its cycle");
    }
}

// The first function.

// Wires that only feed one instance are read in its cycles.
static bool is_shared(const Wire *wire) {
    return wire->is_all && wire->part->count > 1;
}

static void run_node(Order *order, TirBlock *block, Node *node) {
    Checker *checker = order->checker;
    for (size_t k = 0; k < node->before.count; k++) {
        Wire *wire = node->before.items[k];
        if (is_shared(wire) && !wire->is_done) {
            wire->is_done = true;
            tir_append(&checker->tir, system_when(checker, block, node->element->tir),
                       &wire->block);
        }
    }
    TirBlock *when = system_when(checker, block, node->element->tir);
    for (size_t k = 0; k < node->before.count; k++) {
        Wire *wire = node->before.items[k];
        if (!wire->is_done) {
            wire->is_done = true;
            tir_append(&checker->tir, when, &wire->block);
        }
    }
    system_run(checker, when, node->element, TIR_OUTPUT, node->element->tir->span);
    LIST_PUSH(checker->arena, &checker->program->order, node->element->tir);
    node->is_done = true;
    order->done++;
    for (size_t k = 0; k < node->after.count; k++) {
        if (--node->after.items[k]->waits == 0) {
            wire_is_ready(order, node->after.items[k]);
        }
    }
}

static void run_nodes(Order *order, TirBlock *block) {
    while (order->done < order->count) {
        while (order->next < order->count &&
               (order->nodes[order->next].is_done || order->nodes[order->next].waits > 0)) {
            order->next++;
        }
        if (order->next == order->count) {
            report_loop(order);
            return;
        }
        run_node(order, block, &order->nodes[order->next]);
    }
}

static void publish_all(Checker *checker, const System *system, TirBlock *block) {
    for (size_t k = 0; k < system->parts.count; k++) {
        const Part *part = system->parts.items[k];
        for (uint32_t i = 0; i < part->count; i++) {
            TirBlock published = {0};
            system_publish(checker, &published, &part->elements[i], part->ast->span);
            if (published.count > 0) {
                tir_append(&checker->tir, system_when(checker, block, part->elements[i].tir),
                           &published);
            }
        }
    }
}

// The instances that a function starts anew, or what it calls: what these show then shows at once.
typedef struct Restarts {
    Arena *arena;
    bool *is_walked; // by function
    Table instances;
} Restarts;

static void find_restarts(Restarts *restarts, const TirBlock *block) {
    for (size_t k = 0; k < block->count; k++) {
        TirStmt *stmt = block->items[k];
        const TirFunction *callee = stmt->kind == STMT_CALL ? stmt->call.function : NULL;
        if (callee != NULL && callee->instance != NULL && callee->phase == TIR_INIT) {
            table_set(restarts->arena, &restarts->instances, callee->instance, stmt);
        } else if (callee != NULL && !restarts->is_walked[callee->id]) {
            restarts->is_walked[callee->id] = true;
            find_restarts(restarts, &callee->body);
        }
        TirBlock *nested[2];
        for (size_t i = tir_stmt_blocks(stmt, nested); i-- > 0;) {
            find_restarts(restarts, nested[i]);
        }
    }
}

static bool is_late(const Wire *wire, const Restarts *restarts) {
    for (size_t k = 0; k < wire->reads.count; k++) {
        const WireRead *read = &wire->reads.items[k];
        if (read->part != NULL && !read->is_delayed &&
            table_get(&restarts->instances, read->element->tir) != NULL) {
            return true;
        }
    }
    return system_is_late(wire);
}

static void run_outputs(Checker *checker, const System *system, TirBlock *block,
                        const Restarts *restarts, bool late) {
    for (size_t k = 0; k < system->wires.count; k++) {
        Wire *wire = system->wires.items[k];
        if (wire->output != NULL && wire->has_feedthrough && is_late(wire, restarts) == late) {
            tir_append(&checker->tir, block, &wire->block);
        }
    }
}

// A call of a function of the file; nothing where it has none.
static void run_own(Checker *checker, TirBlock *block, TirFunction *function) {
    if (function != NULL) {
        tir_stmt(&checker->tir, block, STMT_CALL, function->span)->call.function = function;
        TirFunction *caller = checker->at.function;
        caller->reads_globals |= function->reads_globals;
        caller->writes_globals |= function->writes_globals;
        caller->uses_interface |= function->uses_interface;
        caller->has_effects |= function->has_effects;
        caller->has_errors |= function->has_errors;
    }
}

// Inputs by hand begin a cycle with their defaults.
static void reset_inputs(Checker *checker, const System *system, TirBlock *block) {
    for (size_t k = 0; k < system->parts.count; k++) {
        const Part *part = system->parts.items[k];
        for (uint32_t i = 0; part->by_hand && i < part->count; i++) {
            Element *element = &part->elements[i];
            const TirProgram *component = element->tir->component;
            for (size_t t = 0; t < component->interface.count; t++) {
                const TirInterface *item = component->interface.items[t];
                if (item->kind == INTERFACE_INPUT && item->value != NULL) {
                    tir_set_var(&checker->tir, block, system_var(checker, element, t),
                                tir_const(&checker->tir, item->type, item->value->data, item->span),
                                item->span);
                }
            }
        }
    }
}

static void fill_output(Checker *checker, System *system, TirFunction *own) {
    TirBlock *block = &system->output->body;
    checker->at.function = system->output;
    checker->at.block = block;
    Order order = {.checker = checker};
    create_nodes(&order, system);
    for (size_t k = 0; k < system->wires.count; k++) {
        Wire *wire = system->wires.items[k];
        if (wire->has_feedthrough && wire->part != NULL && !wire->failed) {
            link_wire(&order, wire);
        }
    }
    system_latch(checker, system, block, INTERFACE_INPUT);
    publish_all(checker, system, block);
    reset_inputs(checker, system, block);
    run_nodes(&order, block);
    Restarts restarts = {.arena = checker->arena};
    restarts.is_walked = ARENA_ARRAY(checker->arena, bool, checker->program->functions.count);
    if (own != NULL) {
        find_restarts(&restarts, &own->body);
    }
    run_outputs(checker, system, block, &restarts, false);
    run_own(checker, block, own);
    run_outputs(checker, system, block, &restarts, true);
    system_latch(checker, system, block, INTERFACE_OUTPUT);
}

// The second function.

static void read_wires(Checker *checker, const System *system, TirBlock *block) {
    for (size_t k = 0; k < system->wires.count; k++) {
        const Wire *wire = system->wires.items[k];
        if (wire->part != NULL && !wire->has_feedthrough && !wire->failed) {
            const TirInstance *first = wire->part->elements[wire->is_all ? 0 : wire->element].tir;
            tir_append(&checker->tir, system_when(checker, block, first), &wire->block);
        }
    }
    for (size_t k = 0; k < system->delays.count; k++) {
        tir_append(&checker->tir, block, &system->delays.items[k]->wire.block);
    }
}

static void advance(Checker *checker, const System *system, TirBlock *block) {
    Tir *tir = &checker->tir;
    for (size_t k = 0; k < system->delays.count; k++) {
        const Delay *delay = system->delays.items[k];
        tir_set_var(tir, block, delay->var, tir_read(tir, delay->next, delay->wire.span),
                    delay->wire.span);
    }
    for (size_t k = 0; k < system->counters.count; k++) {
        const Counter *counter = &system->counters.items[k];
        Span span = counter->var->span;
        const Type *type = counter->var->type;
        TirExpr *now = tir_read(tir, counter->var, span);
        TirExpr *next = tir_map(tir, OP_ADD, type, now, tir_const_uint(tir, 1, span), NULL, span);
        TirExpr *is_last = tir_map(tir, OP_EQ, type_scalar(tir->types, ROOT_BOOL), now,
                                   tir_const_uint(tir, counter->every - 1, span), NULL, span);
        TirExpr *value =
            tir_map(tir, OP_SELECT, type, is_last, tir_const_uint(tir, 0, span), next, span);
        tir_set_var(tir, block, counter->var, value, span);
    }
}

static void fill_update(Checker *checker, System *system, TirFunction *own) {
    TirBlock *block = &system->update->body;
    checker->at.function = system->update;
    checker->at.block = block;
    read_wires(checker, system, block);
    for (size_t k = 0; k < system->parts.count; k++) {
        Part *part = system->parts.items[k];
        for (uint32_t i = 0; i < part->count && !part->by_hand; i++) {
            Element *element = &part->elements[i];
            system_run(checker, system_when(checker, block, element->tir), element, TIR_UPDATE,
                       element->tir->span);
        }
    }
    run_own(checker, block, own);
    for (size_t k = 0; k < system->wires.count; k++) {
        const Wire *wire = system->wires.items[k];
        if (wire->output != NULL && !wire->has_feedthrough) {
            tir_append(&checker->tir, block, &wire->block);
        }
    }
    advance(checker, system, block);
    system->update->reads_globals = system->update->writes_globals = true;
}

// Both.

TirFunction *system_function(Checker *checker, const char *name) {
    TirFunction *function = ARENA_NEW(checker->arena, TirFunction);
    Span start = {checker->at.unit->file->source->base, checker->at.unit->file->source->base};
    *function = (TirFunction){.name = names_intern_text(checker->context->names, name),
                              .symbol = arena_format(checker->arena, "system.%s", name),
                              .span = start,
                              .is_made = true};
    return function;
}

// Notes a wire for those who show the system.
static void describe_wire(Checker *checker, const Wire *wire) {
    TirWire *described = ARENA_NEW(checker->arena, TirWire);
    const SourceMap *sources = checker->context->sources;
    *described = (TirWire){.value = sources_text(sources, wire->ast->connect.value->span),
                           .is_all = wire->is_all,
                           .terminal = wire->part == NULL ? wire->output->name : wire->input,
                           .has_feedthrough = wire->has_feedthrough};
    if (wire->part != NULL) {
        described->to = wire->part->elements[wire->is_all ? 0 : wire->element].tir;
    }
    for (size_t k = 0; k < wire->reads.count; k++) {
        const WireRead *read = &wire->reads.items[k];
        TirWireEnd end = {read->part == NULL ? NULL : read->element->tir, read->terminal->name,
                          read->is_delayed};
        LIST_PUSH(checker->arena, &described->from, end);
    }
    LIST_PUSH(checker->arena, &checker->program->wires, described);
}

void system_finish(Checker *checker, System *system) {
    for (size_t k = 0; k < system->parts.count; k++) {
        if (system->parts.items[k]->failed) {
            return;
        }
    }
    if (checker->context->diags->error_count > system->errors) {
        return;
    }
    system_check_outputs(checker, system);
    CheckPlace outside = checker->at;
    fill_output(checker, system, checker->program->output);
    fill_update(checker, system, checker->program->update);
    checker->at = outside;
    tir_add_function(&checker->tir, checker->program, system->output);
    tir_add_function(&checker->tir, checker->program, system->update);
    checker->program->output = system->output;
    checker->program->update = system->update;
    for (size_t k = 0; k < system->wires.count; k++) {
        if (!system->wires.items[k]->failed) {
            describe_wire(checker, system->wires.items[k]);
        }
    }
    system_check_by_hand(checker, system);
}
