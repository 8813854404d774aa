// Arguments are taken one by one by the rows of options.def; the first that is wrong ends it with a
// message. What must hold among them is checked with each binding (bindings.c) and after the last
// one (every input has a file).
#include "runtime/run/parse.h"

#include "runtime/abi/type.h"
#include "runtime/ensemble/take.h"
#include "runtime/file/formats.h"
#include "runtime/run/bindings.h"
#include "runtime/run/count.h"
#include "runtime/run/given.h"
#include "runtime/run/report.h"
#include "runtime/run/uses.h"
#include "runtime/run/variables.h"
#include "runtime/simulate/panels.h"
#include "runtime/simulate/signals.h"
#include "runtime/text/suggest.h"
#include "runtime/text/value_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool set_path(Options *options, const char *option, const char **place, const char *path) {
    if (*place) {
        tml_report(options->command, "`%s` is given twice", option);
    } else if (path[0] == '\0') {
        tml_report(options->command, "`%s` needs FILE, found ``", option);
    } else {
        *place = path;
        return true;
    }
    return false;
}

// A panel of --plot.
static bool add_group(Options *options, const char *names, size_t len) {
    if (options->group_count == PANEL_LIMIT) {
        tml_report(options->command, "`--plot` has more than %d panels", PANEL_LIMIT);
        return false;
    }
    return tml_signals_select(options, "--plot", names, len,
                              &options->groups[options->group_count++]);
}

// A file by its suffix, or signals in panels: `u,y;speed`. What ends in `;` is no file.
static bool set_plot(Options *options, const char *value) {
    if (tml_path_ends_in(value, ".svg") || tml_path_ends_in(value, ".png")) {
        return set_path(options, "--plot", &options->plot, value);
    }
    if (tml_path_ends_in(value, ".pdf") || tml_path_ends_in(value, ".eps") ||
        tml_path_ends_in(value, ".jpg") || tml_path_ends_in(value, ".gif")) {
        tml_report(options->command, "`--plot` draws .svg or .png, not `%s`", value);
        return false;
    }
    if (options->group_count > 0) {
        tml_report(options->command, "`--plot` has signals twice; `;` separates panels");
        return false;
    }
    for (const char *at = value;;) {
        size_t len = strcspn(at, ";");
        if (!add_group(options, at, len)) {
            return false;
        }
        at += len + (at[len] == ';');
        if (*at == '\0') {
            return true;
        }
    }
}

// Signals without a file go to one that is named after the model.
static bool settle_plot(Options *options) {
    if (options->group_count == 0 || options->plot) {
        return true;
    }
    size_t size = strlen(options->model->name) + sizeof ".svg";
    options->plot_default = malloc(size);
    if (!options->plot_default) {
        tml_report(options->command, "cannot get memory");
        return false;
    }
    snprintf(options->plot_default, size, "%s.svg", options->model->name);
    options->plot = options->plot_default;
    return true;
}

static bool add_watch(Options *options, const char *names) {
    return tml_signals_select(options, "--watch", names, strlen(names), &options->watch);
}

static bool set_trace(Options *options, const char *path) {
    return set_path(options, "--trace", &options->trace, path);
}

static bool set_describe(Options *options, const char *format) {
    options->describes = true;
    options->describes_as_json = format != NULL;
    if (format && strcmp(format, "json") != 0) {
        tml_report(options->command, "`--describe` is text or `=json`, found `=%s`", format);
        return false;
    }
    return true;
}

static bool set_save_state(Options *options, const char *path) {
    return set_path(options, "--save-state", &options->save_state, path);
}

static bool set_from_state(Options *options, const char *path) {
    return set_path(options, "--from-state", &options->from_state, path);
}

// Objects have it where they were made with it.
static bool set_linearize(Options *options, const char *path) {
    static const char *const suffixes[] = {".mat", ".npy", ".csv"};
    bool is_known = path_is_stream(path);
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        is_known |= tml_path_ends_in(path, suffixes[i]);
    }
    if (!is_known && path[0] != '\0') {
        tml_report(options->command, "`--linearize` writes .mat, .npy or .csv, not `%s`", path);
        return false;
    }
    if (!options->model->linear) {
        tml_report(options->command,
                   "this was compiled without the matrices of its step: compile it with "
                   "`--linearize`, or run `tmlc linearize FILE`");
        return false;
    }
    return set_path(options, "--linearize", &options->linearize, path);
}

// Without rows and conditions the point is that before the first step.
static void settle_linearize(Options *options) {
    if (options->linearize && !tml_inputs_say_steps(options)) {
        options->has_steps = true;
        options->steps = 0;
    }
}

static bool set_steps(Options *options, const char *text) {
    options->has_steps = true;
    return tml_count_read(options->command, "--steps", "steps", text, 0, &options->steps);
}

static bool set_dt(Options *options, const char *text) {
    bool fits = tml_text_is_real(text, &options->dt) && options->dt > 0;
    if (!fits) {
        tml_report(options->command, "`--dt` needs a number of seconds above 0, found `%s`", text);
    }
    return fits;
}

static bool set_time(Options *options, const char *column) {
    if (options->time || column[0] == '\0') {
        tml_report(options->command, options->time
                                         ? "`--time` is given twice"
                                         : "`--time` needs the name of a column, found ``");
        return false;
    }
    options->time = column;
    return true;
}

static bool interpolate(Options *options, const char *value) {
    (void)value;
    options->interpolate = true;
    return true;
}

static bool set_until(Options *options, const char *text) {
    char message[CONDITION_MESSAGE_BYTES];
    if (options->has_until) {
        tml_report(options->command, "`--until` is given twice; join the conditions by `or`");
        return false;
    }
    options->has_until = true;
    bool right = tml_condition_read(&options->until, options->model, text, message);
    if (!right) {
        tml_report(options->command, "`--until`: %s", message);
    }
    return right;
}

static bool set_every(Options *options, const char *text) {
    return tml_count_read(options->command, "--every", "steps", text, 1, &options->every);
}

static bool refuse_other_columns(Options *options, const char *value) {
    (void)value;
    options->strict_columns = true;
    return true;
}

static bool add_input(Options *options, const char *text) {
    return tml_bindings_add(options, TML_INPUT, text);
}

static bool add_output(Options *options, const char *text) {
    return tml_bindings_add(options, TML_OUTPUT, text);
}

const OptionRow tml_option_rows[OPTION_COUNT] = {
#define OPTION(...) {__VA_ARGS__},
#include "runtime/run/options.def"
#undef OPTION
};

static void report_unknown_option(const Options *options, const char *argument) {
    const char *suffix = strrchr(argument, '.');
    bool is_table = suffix != NULL && strcmp(suffix, ".csv") == 0;
    if (argument[0] != '-' && is_table && options->model->kind != TML_PROGRAM) {
        tml_report(options->command, "unexpected argument `%s`; inputs are given as `--in %s`",
                   argument, argument);
        return;
    }
    if (argument[0] != '-') {
        tml_report(options->command, "unexpected argument `%s`; see `%s --help`", argument,
                   options->command);
        return;
    }
    size_t len = strcspn(argument, "=");
    Suggestion suggestion = tml_suggestion_for(argument, len);
    tml_suggestion_try(&suggestion, "--help");
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        if (tml_option_rows[i].needs[options->model->kind]) {
            tml_suggestion_try(&suggestion, tml_option_rows[i].spelling);
        }
    }
    if (suggestion.nearest) {
        tml_report(options->command, "unknown option `%.*s`; did you mean `%s`?", (int)len,
                   argument, suggestion.nearest);
    } else {
        tml_report(options->command, "unknown option `%s`; see `%s --help`", argument,
                   options->command);
    }
}

// The value is attached by `=` or the next argument.
static bool take_value(Options *options, const OptionRow *row, int *at, int argc, char **argv) {
    const char *needs = row->needs[options->model->kind];
    const char *attached = strchr(argv[*at], '=');
    const char *value = attached ? attached + 1 : NULL;
    if (needs[0] == '\0') {
        if (value) {
            tml_report(options->command, "`%s` takes no value", row->spelling);
        }
        return !value && row->take(options, NULL);
    }
    if (needs[0] == '=') {
        return row->take(options, value);
    }
    if (!value && *at + 1 < argc) {
        value = argv[++*at];
    }
    if (!value) {
        tml_report(options->command, "`%s` needs %s", row->spelling, needs);
    }
    return value && row->take(options, value);
}

// Takes the option at argv[*at] and its value.
static bool take_argument(Options *options, int *at, int argc, char **argv) {
    const char *argument = argv[*at];
    size_t len = strcspn(argument, "=");
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const OptionRow *row = &tml_option_rows[i];
        const char *needs = row->needs[options->model->kind];
        if (!needs || strlen(row->spelling) != len || strncmp(row->spelling, argument, len) != 0) {
            continue;
        }
        return take_value(options, row, at, argc, argv);
    }
    report_unknown_option(options, argument);
    return false;
}

// What is watched has a file of all outputs to go to, or one of its own.
static bool watch_has_file(const Options *options) {
    const Bindings *outputs = &options->bindings[TML_OUTPUT];
    bool has_file = options->watch.count == 0 || options->trace || outputs->count == 0;
    for (size_t i = 0; i < outputs->count && !has_file; i++) {
        has_file = !outputs->items[i].terminal;
    }
    if (!has_file) {
        tml_report(options->command,
                   "`--watch` has no file for its columns; give `--trace FILE`, or "
                   "`--out FILE` for all outputs");
    }
    return has_file;
}

static bool files_are_apart(const Options *options) {
    if (options->trace && path_is_stream(options->trace) &&
        options->bindings[TML_OUTPUT].count == 0 &&
        tml_model_count(options->model, TML_OUTPUT) > 0) {
        tml_report(options->command,
                   "`-` is given for the trace; give `--out FILE` for the outputs");
        return false;
    }
    return tml_uses_are_right(options) && watch_has_file(options);
}

static bool get_memory(Options *options, int argc) {
    const tml_model *model = options->model;
    Binding *inputs = calloc((size_t)argc + 1, sizeof *inputs);
    Binding *outputs = calloc((size_t)argc + 1, sizeof *outputs);
    options->bindings[TML_INPUT].items = inputs;
    options->bindings[TML_OUTPUT].items = outputs;
    options->params = malloc(model->params_bytes + 1);
    options->set = calloc(model->variable_count + 1, sizeof *options->set);
    options->inputs = calloc(1, model->inputs_bytes + 1);
    if (!inputs || !outputs || !options->params || !options->set || !options->inputs) {
        tml_report(options->command, "cannot get memory");
        return false;
    }
    if (model->params_bytes > 0) {
        memcpy(options->params, model->defaults, model->params_bytes);
    }
    if (model->inputs_defaults) {
        memcpy(options->inputs, model->inputs_defaults, model->inputs_bytes);
    }
    return true;
}

OptionsResult tml_options_parse(Options *options, const tml_model *model, const char *command,
                                int argc, char **argv) {
    *options = (Options){.model = model, .command = command, .steps = UINT64_MAX, .every = 1};
    if (!get_memory(options, argc)) {
        return OPTIONS_MEMORY;
    }
    for (int at = 1; at < argc; at++) {
        if (strcmp(argv[at], "--help") == 0) {
            return OPTIONS_HELP;
        }
        if (!take_argument(options, &at, argc, argv)) {
            return OPTIONS_WRONG;
        }
    }
    if (options->describes) {
        return OPTIONS_DESCRIBE;
    }
    settle_linearize(options);
    bool right = tml_ensemble_settle(options) && tml_inputs_are_given(options) &&
                 settle_plot(options) && files_are_apart(options) &&
                 (options_are_of_program(options) || tml_options_settle_time(options));
    return right ? OPTIONS_RUN : OPTIONS_WRONG;
}

void tml_options_free(Options *options) {
    for (size_t i = 0; i < options->bindings[TML_INPUT].count; i++) {
        free(options->bindings[TML_INPUT].items[i].file);
    }
    free(options->inputs);
    free(options->bindings[TML_INPUT].items);
    free(options->bindings[TML_OUTPUT].items);
    free(options->watch.items);
    free(options->plot_default);
    for (size_t i = 0; i < options->group_count; i++) {
        free(options->groups[i].items);
    }
    free(options->ensemble.samples);
    tml_condition_free(&options->until);
    free(options->params);
    free(options->set);
}
