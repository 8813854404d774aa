// Variables of hardware in instances (L16). For hosts and simulations each is a terminal of the
// file that holds all of the system, `speed.io_a`. Inputs are handed to the instance when a cycle
// begins, outputs shown when all functions of its first half have run; in between they are
// variables of its state. With --io=mmio instances access their hardware themselves.
#include "sema/system/system.h"

static Name with_owner(Checker *checker, const Element *element, Name name) {
    const char *text =
        arena_format(checker->arena, "%s.%s", system_name(checker, element->tir), name->text);
    return names_intern_text(checker->context->names, text);
}

// The same in this file, without a variable.
static TirInterface *copy_item(Checker *checker, const Element *element, const TirInterface *item) {
    TirInterface *copy = ARENA_NEW(checker->arena, TirInterface);
    TirIo *io = ARENA_NEW(checker->arena, TirIo);
    *io = *item->io;
    io->name = with_owner(checker, element, io->name);
    *copy = *item;
    copy->io = io;
    copy->name = with_owner(checker, element, item->name);
    copy->span = element->tir->span;
    copy->var = NULL;
    return copy;
}

static void create_terminal(Checker *checker, System *system, TirInterface *item, TirVar *inner) {
    TirVarRole role = item->kind == INTERFACE_INPUT ? VAR_INPUT : VAR_OUTPUT;
    item->var = tir_var_create(&checker->tir, NULL, role, item->name, item->type, item->span);
    item->is_direct = role == VAR_OUTPUT; // every cycle shows all of it
    LIST_PUSH(checker->arena, &checker->program->globals, item->var);
    LIST_PUSH(checker->arena, &checker->program->interface, item);
    Latch latch = {item, inner};
    LIST_PUSH(checker->arena, &system->latches, latch);
}

void system_add_hardware(Checker *checker, const Element *element) {
    const TirProgram *component = element->tir->component;
    for (size_t k = 0; k < component->hardware.count; k++) {
        const TirInterface *inner = component->hardware.items[k];
        TirInterface *item = copy_item(checker, element, inner);
        TirVar *var =
            checker->options->mmio ? NULL : system_create_var(checker, element, inner, inner->var);
        if (var != NULL && checker->use == NULL) {
            create_terminal(checker, checker->at.unit->system, item, var);
            continue;
        }
        item->var = var;
        LIST_PUSH(checker->arena, &checker->program->hardware, item);
    }
}

void system_latch(Checker *checker, const System *system, TirBlock *block, TirInterfaceKind kind) {
    for (size_t k = 0; k < system->latches.count; k++) {
        const Latch *latch = &system->latches.items[k];
        TirVar *terminal = latch->terminal->var;
        if (latch->terminal->kind != kind) {
            continue;
        }
        TirVar *to = kind == INTERFACE_INPUT ? latch->var : terminal;
        TirVar *from = kind == INTERFACE_INPUT ? terminal : latch->var;
        tir_set_var(&checker->tir, block, to, tir_read(&checker->tir, from, to->span), to->span);
        TirFunction *function = checker->at.function;
        function->reads_globals = function->writes_globals = function->uses_interface = true;
    }
}
