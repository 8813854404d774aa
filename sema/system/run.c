// Statements that run instances: a function of the component, what becomes of its outputs behind
// it, and in which steps of the system that is.
#include "sema/system/system.h"

#include "sema/value.h"
#include "tir/visit.h"

static TirFunction *phase_function(Checker *checker, Element *element, TirPhase phase) {
    TirFunction **function = &element->runs[phase];
    if (*function == NULL) {
        const char *text = arena_format(checker->arena, "%s.%s", system_name(checker, element->tir),
                                        tir_phase_text(phase));
        *function = ARENA_NEW(checker->arena, TirFunction);
        **function = (TirFunction){.name = names_intern_text(checker->context->names, text),
                                   .symbol = text,
                                   .span = element->tir->span,
                                   .reads_globals = true,
                                   .writes_globals = true,
                                   .uses_interface = true,
                                   .is_made = true,
                                   .instance = element->tir,
                                   .phase = phase};
        tir_add_function(&checker->tir, checker->program, *function);
    }
    return *function;
}

void system_run(Checker *checker, TirBlock *block, Element *element, TirPhase phase, Span span) {
    TirStmt *call = tir_stmt(&checker->tir, block, STMT_CALL, span);
    call->call.function = phase_function(checker, element, phase);
    TirFunction *caller = checker->at.function;
    caller->reads_globals = caller->writes_globals = caller->uses_interface = true;
}

static void set_var(Checker *checker, TirBlock *block, TirVar *var, TirExpr *value, Span span) {
    tir_set_var(&checker->tir, block, var, value, span);
    checker->at.function->writes_globals = true;
}

void system_publish(Checker *checker, TirBlock *block, Element *element, Span span) {
    const TirProgram *component = element->tir->component;
    for (size_t k = 0; k < component->interface.count; k++) {
        const TirInterface *item = component->interface.items[k];
        if (system_is_published(item) && item->is_present) {
            TirVar *next = system_next(checker, element, k);
            set_var(checker, block, system_var(checker, element, k),
                    tir_read(&checker->tir, next, span), span);
            checker->at.function->reads_globals = true;
        }
    }
}

void system_start(Checker *checker, TirBlock *block, Element *element, Span span) {
    const TirProgram *component = element->tir->component;
    for (size_t k = 0; k < component->interface.count; k++) {
        const TirInterface *item = component->interface.items[k];
        if (item->kind == INTERFACE_OUTPUT && item->has_feedthrough && item->is_present) {
            TirExpr *zero = tir_const_bool(&checker->tir, false, span);
            set_var(checker, block, system_var(checker, element, k),
                    check_cast(checker, item->type, zero, span), span);
        }
    }
    system_run(checker, block, element, TIR_INIT, span);
    system_publish(checker, block, element, span);
}

// Counts the cycles of this file, from 0 to `every`.
static TirVar *cycle_counter(Checker *checker, uint32_t every) {
    System *system = checker->at.unit->system;
    for (size_t k = 0; k < system->counters.count; k++) {
        if (system->counters.items[k].every == every) {
            return system->counters.items[k].var;
        }
    }
    const Type *type = type_scalar(checker->tir.types, ROOT_UINT);
    Name name = system_hidden_name(checker, arena_format(checker->arena, "cycle_of_%u", every));
    TirVar *var = tir_var_create(&checker->tir, NULL, VAR_GLOBAL, name, type,
                                 checker->at.unit->system->parts.items[0]->ast->span);
    LIST_PUSH(checker->arena, &checker->program->globals, var);
    Counter counter = {every, var};
    LIST_PUSH(checker->arena, &system->counters, counter);
    return var;
}

TirBlock *system_when(Checker *checker, TirBlock *block, const TirInstance *instance) {
    if (instance->every == 1) {
        return block;
    }
    Span span = instance->span;
    TirVar *counter = cycle_counter(checker, instance->every);
    TirExpr *now = tir_read(&checker->tir, counter, span);
    TirExpr *offset = tir_const_uint(&checker->tir, instance->offset, span);
    TirStmt *branch = tir_stmt(&checker->tir, block, STMT_IF, span);
    branch->branch.condition = tir_map(
        &checker->tir, OP_EQ, type_scalar(checker->tir.types, ROOT_BOOL), now, offset, NULL, span);
    checker->at.function->reads_globals = true;
    return &branch->branch.then;
}

Name system_hidden_name(Checker *checker, const char *text) {
    Name name = names_intern_text(checker->context->names, text);
    while (scope_find_here(checker->at.unit->scope, name) != NULL) {
        text = arena_format(checker->arena, "%s_", text);
        name = names_intern_text(checker->context->names, text);
    }
    return name;
}
