// Whether outputs have values where they are read and at the end of `output_fnc` (L10.3): the
// effects of the entry functions, in the order in which the host calls them. Later cycles begin
// with at least what the first one has. A missing `output_fnc` is an empty one.
#include "sema/component/effects.h"

#include <string.h>

typedef struct Cycle {
    Effects *effects;
    DiagList *diags;
    Gain *values; // by output
} Cycle;

static const OutputEffect *find_effect(const Effects *effects, const TirFunction *function,
                                       const Terminal *terminal) {
    const FunctionEffect *effect = &effects->effects[function->id];
    for (size_t k = 0; k < effect->count; k++) {
        if (effect->items[k].terminal == terminal) {
            return &effect->items[k];
        }
    }
    return NULL;
}

// Where an event of the function really happens; the calls that lead there go to the path.
static const Event *find_event(const Effects *effects, const TirFunction *function,
                               const Terminal *terminal, EventKind kind, CallPath *path) {
    const Event *event = &find_effect(effects, function, terminal)->events[kind];
    while (event->callee != NULL) {
        CallStep step = {function, event->callee, event->span};
        LIST_PUSH(effects->arena, path, step);
        function = event->callee;
        event = &find_effect(effects, function, terminal)->events[event->inner];
    }
    return event;
}

// Names one of the elements of `needs` that the gain lacks.
static void note_missing(const Cycle *cycle, Diag *diag, const Terminal *terminal, uint64_t needs,
                         Gain gain) {
    const char *element = effects_element(cycle->effects, terminal, needs & ~gain.elements);
    if (element != NULL) {
        diag_note(diag, "`%s` may have no value", element);
    }
}

static void note_beginning(const Cycle *cycle, Diag *diag, const TirFunction *entry,
                           const TirInterface *output) {
    if (entry == cycle->effects->program->init) {
        diag_note(diag, "no output has a value when `init_fnc` begins");
    } else if (output->has_feedthrough) {
        diag_note(diag, "an output with feedthrough has no value when `output_fnc` begins");
    } else {
        diag_note(diag, "an output without feedthrough has its first value from `init_fnc`");
    }
}

static void report_none(const Cycle *cycle, const TirFunction *entry, const Terminal *terminal) {
    CallPath path = {0};
    const Event *event = find_event(cycle->effects, entry, terminal, EVENT_READ_NONE, &path);
    const char *name = effects_name(cycle->effects, terminal);
    Diag *diag = diag_error(cycle->diags, DIAG_E0722, event->span,
                            event->after_write ? "`%s` is read where not every path has given it "
                                                 "a value"
                                               : "`%s` is read before it has a value",
                            name);
    if (event->is_update) {
        diag_note(diag, "an `op=` reads the value that is there");
    }
    note_beginning(cycle, diag, entry, terminal->interface);
    if (terminal->interface->has_feedthrough && !event->after_write) {
        diag_help(
            diag,
            "what is kept from step to step is a variable at file level: assign that, and the "
            "output from it");
    }
    check_note_path(diag, &path);
}

static void warn_of_part(const Cycle *cycle, const TirFunction *entry, const Terminal *terminal,
                         Gain gain) {
    CallPath path = {0};
    const Event *event = find_event(cycle->effects, entry, terminal, EVENT_READ_PART, &path);
    Diag *diag = diag_warning(cycle->diags, WARNING_PARTIAL_OUTPUT, event->span,
                              "`%s` is read where only a part of it has a value",
                              effects_name(cycle->effects, terminal));
    note_missing(cycle, diag, terminal, event->needs, gain);
    check_note_path(diag, &path);
}

static void run_entry(Cycle *cycle, const TirFunction *entry) {
    if (entry == NULL) {
        return;
    }
    const FunctionEffect *effect = &cycle->effects->effects[entry->id];
    for (size_t k = 0; k < effect->count; k++) {
        const OutputEffect *item = &effect->items[k];
        const Terminal *terminal = item->terminal;
        Gain *value = &cycle->values[terminal->output];
        Gain at_part = gain_add(*value, item->part);
        if (terminal->has_message) {
            *value = GAIN_ALL;
        } else if (item->events[EVENT_READ_NONE].happens && value->touched == 0) {
            report_none(cycle, entry, terminal);
            *value = GAIN_ALL;
        } else if (item->events[EVENT_READ_PART].happens &&
                   !gain_has(at_part, item->events[EVENT_READ_PART].needs)) {
            warn_of_part(cycle, entry, terminal, at_part);
        }
        *value = gain_add(*value, item->gain);
    }
}

// The function that gives the output its value in a cycle; NULL when the component has none.
static const TirFunction *giver(const Cycle *cycle, const Terminal *terminal) {
    return terminal->interface->has_feedthrough ? cycle->effects->program->output
                                                : cycle->effects->program->init;
}

// The variable of the function that has the name of an output.
static const TirVar *find_variable(const TirFunction *function, Name name) {
    for (size_t k = 0; k < function->vars.count; k++) {
        if (function->vars.items[k]->name == name && function->vars.items[k]->role == VAR_LOCAL) {
            return function->vars.items[k];
        }
    }
    return NULL;
}

// Whether a type stands before its name.
static bool is_declared(const Cycle *cycle, const TirVar *var) {
    static const char *const types[] = {"real", "int", "uint", "bool", ">"};
    SourcePlace place = sources_place(cycle->effects->context->sources, var->span.start);
    uint32_t end = place.offset;
    while (end > 0 && place.file->text[end - 1] == ' ') {
        end--;
    }
    bool found = false;
    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++) {
        size_t len = strlen(types[k]);
        found = found || (end >= len && memcmp(place.file->text + end - len, types[k], len) == 0);
    }
    return found;
}

static void report_end(const Cycle *cycle, const Terminal *terminal) {
    const TirInterface *output = terminal->interface;
    const char *name = effects_name(cycle->effects, terminal);
    const TirFunction *function = giver(cycle, terminal);
    const TirVar *variable = function == NULL ? NULL : find_variable(function, output->name);
    Diag *diag =
        diag_error(cycle->diags, DIAG_E0723, variable == NULL ? output->span : variable->span,
                   "`%s` has no value at the end of `output_fnc`", name);
    if (variable != NULL) {
        diag_here(diag, "this is a variable of the function");
        diag_label(diag, output->span, "this output is declared");
        diag_help(diag, "did you mean `%s`?", name);
        if (!is_declared(cycle, variable)) {
            diag_edit(diag, variable->span, "%s", name);
        }
        return;
    }
    const OutputEffect *effect =
        function == NULL ? NULL : find_effect(cycle->effects, function, terminal);
    if (effect != NULL && effect->events[EVENT_WRITE].happens) {
        CallPath path = {0};
        const Event *event = find_event(cycle->effects, function, terminal, EVENT_WRITE, &path);
        diag_label(diag, event->span, "assigned here, but not on every path");
        check_note_path(diag, &path);
    } else if (output->has_feedthrough && cycle->effects->program->output == NULL) {
        diag_note(diag, "the component has no `output_fnc`");
    }
    diag_help(diag, "assign `%s` in `%s`, on every path", name,
              output->has_feedthrough ? "output_fnc" : "init_fnc");
}

static void lower_end(Cycle *cycle) {
    for (size_t k = 0; k < cycle->effects->output_count; k++) {
        const Terminal *terminal = cycle->effects->outputs[k];
        Gain *value = &cycle->values[k];
        if (terminal->has_message || gain_is_full(terminal, *value)) {
            continue;
        }
        if (value->touched == 0) {
            report_end(cycle, terminal);
        } else {
            Diag *diag =
                diag_warning(cycle->diags, WARNING_PARTIAL_OUTPUT, terminal->interface->span,
                             "only a part of `%s` has a value at the end of `output_fnc`",
                             effects_name(cycle->effects, terminal));
            note_missing(cycle, diag, terminal, terminal->all, *value);
        }
        *value = GAIN_ALL; // said once
    }
}

void effects_check_outputs(Effects *effects) {
    const TirProgram *program = effects->program;
    Cycle cycle = {.effects = effects,
                   .diags = effects->context->diags,
                   .values = ARENA_ARRAY(effects->arena, Gain, effects->output_count)};
    run_entry(&cycle, program->init);
    for (size_t k = 0; k < effects->output_count; k++) {
        if (effects->outputs[k]->interface->has_feedthrough) {
            cycle.values[k] = (Gain){0, 0};
        }
    }
    run_entry(&cycle, program->output);
    lower_end(&cycle);
    run_entry(&cycle, program->update);
}
