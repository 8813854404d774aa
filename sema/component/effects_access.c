// Which function may touch which terminal (L10.2). A function has the rights of every entry
// function that reaches it, so each entry function that restricts anything is followed through its
// calls, and every access that it reaches is held against its rights.
#include "sema/component/effects.h"

#include <string.h>

// What an entry function reaches, in breadth first order, so that the paths are the shortest.
typedef struct Reach {
    const TirFunction **order;
    size_t count;
    bool *is_reached; // by function
    CallStep *from;   // by function: the call that reached it first
} Reach;

static void reach_function(Reach *reach, CallStep from) {
    if (!reach->is_reached[from.callee->id]) {
        reach->is_reached[from.callee->id] = true;
        reach->from[from.callee->id] = from;
        reach->order[reach->count++] = from.callee;
    }
}

// Nothing is reached from an entry function that is NULL.
static Reach reach_all(const Effects *effects, const TirFunction *entry) {
    size_t count = effects->program->functions.count;
    Reach reach = {.order = ARENA_ARRAY(effects->arena, const TirFunction *, count),
                   .is_reached = ARENA_ARRAY(effects->arena, bool, count),
                   .from = ARENA_ARRAY(effects->arena, CallStep, count)};
    if (entry != NULL) {
        reach_function(&reach, (CallStep){.callee = entry});
    }
    for (size_t k = 0; k < reach.count; k++) {
        const FunctionUses *uses = &effects->uses[reach.order[k]->id];
        for (size_t c = 0; c < uses->calls.count; c++) {
            CallSite call = uses->calls.items[c];
            reach_function(&reach, (CallStep){reach.order[k], call.callee, call.span});
        }
    }
    return reach;
}

static CallPath path_to(const Effects *effects, const Reach *reach, const TirFunction *function) {
    CallPath path = {0};
    for (CallStep step = reach->from[function->id]; step.caller != NULL;
         step = reach->from[step.caller->id]) {
        LIST_PUSH(effects->arena, &path, step);
    }
    for (size_t k = 0; k < path.count / 2; k++) {
        CallStep step = path.items[k];
        path.items[k] = path.items[path.count - 1 - k];
        path.items[path.count - 1 - k] = step;
    }
    return path;
}

static bool is_allowed(const Effects *effects, const Access *access, const TirFunction *entry) {
    const TirInterface *interface = access->terminal->interface;
    bool in_output = entry == effects->program->output;
    if (interface->io != NULL || entry == effects->program->init) { // L16
        return interface->io == NULL || access->is_write || entry != effects->program->init;
    }
    if (access->is_write) {
        return interface->has_feedthrough == in_output;
    }
    return interface->kind == INTERFACE_OUTPUT || interface->has_feedthrough || !in_output;
}

static void report_access(Effects *effects, const Reach *reach, const TirFunction *function,
                          const Access *access) {
    DiagList *diags = effects->context->diags;
    const TirInterface *interface = access->terminal->interface;
    const char *entry = reach->order[0]->name->text;
    const char *verb = access->is_write ? "written" : "read";
    const char *kind = arena_format(effects->arena, "an %s %s feedthrough",
                                    interface->kind == INTERFACE_INPUT ? "input" : "output",
                                    interface->has_feedthrough ? "with" : "without");
    // What runs a system has the name of the function that it runs.
    bool is_entry = function->name == reach->order[0]->name;
    Diag *diag = diag_error(
        diags, DIAG_E0721, access->span, "`%s` has %sfeedthrough and cannot be %s in %s`%s`%s",
        effects_name(effects, access->terminal), interface->has_feedthrough ? "" : "no ", verb,
        is_entry ? "" : "a function that ", entry, is_entry ? "" : " calls");
    diag_label(diag, interface->span, "%s", kind);
    diag_note(diag, "%s is %s in `init_fnc` and `%s` only", kind, verb,
              interface->has_feedthrough ? "output_fnc" : "update_fnc");
    if (interface->kind == INTERFACE_OUTPUT && interface->has_feedthrough &&
        interface->io == NULL) {
        diag_help(diag,
                  "`not feedthrough out` declares one that `update_fnc` gives its next value");
    }
    CallPath path = path_to(effects, reach, function);
    check_note_path(diag, &path);
    access->terminal->has_message = true;
}

static void report_early_read(Effects *effects, const Reach *reach, const TirFunction *function,
                              const Access *access) {
    Diag *diag = diag_error(effects->context->diags, DIAG_E0721, access->span,
                            "`%s` has no value yet and cannot be read in `init_fnc`",
                            effects_name(effects, access->terminal));
    diag_note_at(diag, access->terminal->interface->span, "hardware is read when the cycle begins");
    CallPath path = path_to(effects, reach, function);
    check_note_path(diag, &path);
    access->terminal->has_message = true;
}

static void lower_entry(Effects *effects, const TirFunction *entry) {
    Reach reach = reach_all(effects, entry);
    for (size_t k = 0; k < reach.count; k++) {
        const FunctionUses *uses = &effects->uses[reach.order[k]->id];
        for (size_t a = 0; a < uses->accesses.count; a++) {
            const Access *access = &uses->accesses.items[a];
            if (is_allowed(effects, access, entry)) {
                continue;
            }
            (entry == effects->program->init ? report_early_read : report_access)(
                effects, &reach, reach.order[k], access);
        }
    }
}

// Of functions that init_fnc calls the same may be said, but those run in cycles, too.
void effects_warn_of_inputs(Effects *effects) {
    if (effects->context->diags->error_count > 0) {
        return;
    }
    for (size_t k = 0; k < effects->program->functions.count; k++) {
        const TirFunction *function = effects->program->functions.items[k];
        const FunctionUses *uses = &effects->uses[function->id];
        bool is_init = strcmp(function->name->text, "init_fnc") == 0;
        for (size_t a = 0; is_init && a < uses->accesses.count; a++) {
            const Access *access = &uses->accesses.items[a];
            if (access->is_write || access->terminal->interface->kind != INTERFACE_INPUT) {
                continue;
            }
            Diag *diag = diag_warning(effects->context->diags, WARNING_INIT_INPUT, access->span,
                                      "`%s` is zero in `init_fnc`, where no cycle has begun",
                                      effects_name(effects, access->terminal));
            diag_help(diag, "a flag such as `first = true` lets the first cycle take it");
        }
    }
}

void effects_check_access(Effects *effects) {
    lower_entry(effects, effects->program->init);
    lower_entry(effects, effects->program->output);
    lower_entry(effects, effects->program->update);
}

void effects_find_direct(Effects *effects) {
    const TirProgram *program = effects->program;
    Reach init = reach_all(effects, program->init);
    Reach output = reach_all(effects, program->output);
    Reach update = reach_all(effects, program->update);
    for (size_t k = 0; k < effects->output_count; k++) {
        effects->outputs[k]->interface->is_direct = false;
    }
    if (program->output != NULL) {
        const FunctionEffect *effect = &effects->effects[program->output->id];
        for (size_t k = 0; k < effect->count; k++) {
            const OutputEffect *item = &effect->items[k];
            // What is read of it before that is what the step before left.
            item->terminal->interface->is_direct =
                gain_is_full(item->terminal, item->gain) && !item->events[EVENT_READ_PART].happens;
        }
    }
    for (size_t k = 0; k < program->functions.count; k++) {
        const FunctionUses *uses = &effects->uses[k];
        if (output.is_reached[k] && !init.is_reached[k] && !update.is_reached[k]) {
            continue;
        }
        for (size_t a = 0; a < uses->accesses.count; a++) {
            uses->accesses.items[a].terminal->interface->is_direct = false;
        }
    }
}
