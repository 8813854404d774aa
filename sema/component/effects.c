// What a component does to its terminals: the entry of effects_check, and what its parts share. The
// functions are read once for their accesses and calls (here); then effects_access.c holds each
// access against the rights of the entry functions, effects_flow.c sums up each function's effect
// on the outputs, and effects_outputs.c follows these sums through a cycle. Nothing is changed but
// `is_direct` of the outputs.
#include "sema/component/effects.h"

#include "support/bug.h"
#include "tir/uses.h"

Terminal *effects_terminal(const Effects *effects, const TirVar *var) {
    if (!tir_var_is_global(var) || var->id >= effects->terminals_size) {
        return NULL;
    }
    // A terminal that is absent has no id of its own.
    Terminal *terminal = effects->terminals[var->id];
    return terminal != NULL && terminal->interface->var == var ? terminal : NULL;
}

bool effects_keeps_rules(const TirInterface *interface) {
    return interface->kind == INTERFACE_OUTPUT && interface->io == NULL;
}

const char *effects_name(const Effects *effects, const Terminal *terminal) {
    if (terminal->interface->io != NULL) {
        return terminal->interface->io->name->text;
    }
    return arena_format(effects->arena, "%c.%s", terminal->interface->space,
                        terminal->interface->name->text);
}

static void list_terminals(Effects *effects) {
    const TirProgram *program = effects->program;
    for (size_t k = 0; k < program->globals.count; k++) {
        size_t size = program->globals.items[k]->id + (size_t)1;
        effects->terminals_size = size > effects->terminals_size ? size : effects->terminals_size;
    }
    effects->terminals = ARENA_ARRAY(effects->arena, Terminal *, effects->terminals_size);
    effects->outputs = ARENA_ARRAY(effects->arena, Terminal *, program->interface.count);
    for (size_t k = 0; k < program->interface.count; k++) {
        TirInterface *interface = program->interface.items[k];
        bool is_output = effects_keeps_rules(interface);
        if ((interface->kind != INTERFACE_INPUT && interface->kind != INTERFACE_OUTPUT) ||
            !interface->is_present) {
            continue;
        }
        Terminal *terminal = ARENA_NEW(effects->arena, Terminal);
        terminal->interface = interface;
        CHECK(interface->var->id < effects->terminals_size);
        effects->terminals[interface->var->id] = terminal;
        if (is_output) {
            terminal->all = effects_all_elements(interface->type);
            terminal->output = (uint32_t)effects->output_count;
            effects->outputs[effects->output_count++] = terminal;
        }
    }
}

typedef struct Search {
    const Effects *effects;
    AccessVisitor *visit;
    void *data;
} Search;

static void report_access(const Search *search, const TirExpr *place, bool is_write,
                          bool is_update) {
    const TirExpr *var = tir_bottom(place);
    Terminal *terminal = effects_terminal(search->effects, var->var);
    if (terminal != NULL) {
        Access access = {.terminal = terminal,
                         .place = place,
                         .span = var->span,
                         .is_write = is_write,
                         .is_update = is_update};
        search->visit(&access, search->data);
    }
}

static void visit_read(const TirExpr *expr, void *data) {
    if (tir_bottom(expr)->kind != EXPR_VAR) {
        tir_read_operands(expr, visit_read, data);
        return;
    }
    tir_read_indices(expr, visit_read, data);
    report_access(data, expr, false, false);
}

void effects_visit_stmt(const Effects *effects, TirStmt *stmt, AccessVisitor *visit, void *data) {
    Search search = {.effects = effects, .visit = visit, .data = data};
    if (stmt->kind != STMT_SET) {
        tir_read_exprs(stmt, visit_read, &search);
        return;
    }
    tir_read_indices(stmt->set.place, visit_read, &search);
    if (stmt->set.is_update) {
        report_access(&search, stmt->set.place, false, true);
    }
    if (stmt->set.is_kept) {
        tir_read_indices(stmt->set.value, visit_read, &search);
    } else {
        visit_read(stmt->set.value, &search);
    }
    report_access(&search, stmt->set.place, true, false);
}

typedef struct Collector {
    Effects *effects;
    FunctionUses *uses;
} Collector;

static void collect_access(const Access *access, void *data) {
    Collector *collector = data;
    LIST_PUSH(collector->effects->arena, &collector->uses->accesses, *access);
}

static void collect_stmt(TirStmt *stmt, void *data) {
    Collector *collector = data;
    effects_visit_stmt(collector->effects, stmt, collect_access, collector);
    if (stmt->kind == STMT_CALL) {
        CallSite call = {stmt->call.function, stmt->span};
        LIST_PUSH(collector->effects->arena, &collector->uses->calls, call);
    }
}

static void collect_uses(Effects *effects) {
    const TirProgram *program = effects->program;
    effects->uses = ARENA_ARRAY(effects->arena, FunctionUses, program->functions.count);
    for (size_t k = 0; k < program->functions.count; k++) {
        const TirFunction *function = program->functions.items[k];
        CHECK(function->id == k);
        Collector collector = {.effects = effects, .uses = &effects->uses[k]};
        tir_visit_stmts(&function->body, collect_stmt, &collector);
    }
}

static Effects read_program(Context *context, TirProgram *program) {
    Effects effects = {
        .context = context,
        .arena = context->arena,
        .program = program,
        .tir = {.arena = context->arena,
                .types = program->types,
                .names = context->names,
                .single = program->single},
    };
    list_terminals(&effects);
    collect_uses(&effects);
    return effects;
}

void effects_check(Context *context, TirProgram *program) {
    Effects effects = read_program(context, program);
    effects_check_access(&effects);
    effects_flow(&effects);
    effects_check_outputs(&effects);
    effects_find_direct(&effects);
    effects_warn_of_inputs(&effects);
}

void effects_find_outputs(Context *context, TirProgram *program) {
    Effects effects = read_program(context, program);
    effects_flow(&effects);
    effects_find_direct(&effects);
}
