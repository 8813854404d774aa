// Arguments are taken one by one by the rows of options.def; the first that is wrong ends it with a
// message. What must hold among them is checked with each binding (no two for one terminal or file)
// and after the last one (every input has a file).
#include "runtime/run/options.h"

#include "runtime/abi/type.h"
#include "runtime/file/formats.h"
#include "runtime/run/given.h"
#include "runtime/run/report.h"
#include "runtime/run/variables.h"
#include "runtime/simulate/panels.h"
#include "runtime/simulate/signals.h"
#include "runtime/text/suggest.h"
#include "runtime/text/value_text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_program(const Options *options) {
    return options->model->kind == TML_PROGRAM;
}

// What messages call the file.
static const char *kind_text(const Options *options) {
    return is_program(options) ? "program" : "model";
}

static const char *const directions[] = {[TML_INPUT] = "input", [TML_OUTPUT] = "output"};
static const char *const options_of[] = {[TML_INPUT] = "--in", [TML_OUTPUT] = "--out"};

static tml_role other_direction(tml_role role) {
    return role == TML_INPUT ? TML_OUTPUT : TML_INPUT;
}

// How long the NAME of NAME=FILE is; 0 when the text is a file without a name. Ports have names of
// any characters.
static size_t name_length(const Options *options, const char *binding) {
    const char *equals = strchr(binding, '=');
    size_t len = equals ? (size_t)(equals - binding) : 0;
    if (is_program(options)) {
        return len;
    }
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)binding[i];
        bool fits = isalnum(c) || c == '_' || (c == '.' && i == 1 && binding[0] == 't');
        if (!fits || (i == 0 && isdigit(c))) {
            return 0;
        }
    }
    return len;
}

static void report_unknown_terminal(const Options *options, tml_role role, const char *name,
                                    size_t len) {
    const char *kind = kind_text(options);
    tml_role other = other_direction(role);
    const char *nearest = tml_model_nearest_variable(options->model, role, name, len);
    if (tml_model_variable(options->model, other, name, len)) {
        tml_report(options->command, "`%.*s` is an %s of this %s; use `%s`", (int)len, name,
                   directions[other], kind, options_of[other]);
    } else if (nearest) {
        tml_report(options->command, "this %s has no %s `%.*s`; did you mean `%s`?", kind,
                   directions[role], (int)len, name, nearest);
    } else {
        tml_report(options->command, "this %s has no %s `%.*s`; see `%s --help`", kind,
                   directions[role], (int)len, name, options->command);
    }
}

// The terminal in `binding->path`, which then is the file alone.
static bool split_binding(const Options *options, tml_role role, Binding *binding) {
    const char *option = options_of[role];
    const char *text = binding->path;
    size_t len = name_length(options, text);
    if (is_program(options) && (len == 0 || text[len + 1] == '\0')) {
        tml_report(options->command, "`%s` needs NAME=FILE, found `%s`", option, text);
        return false;
    }
    if (len > 0) {
        binding->terminal = tml_model_variable(options->model, role, text, len);
        binding->path = text + len + 1;
        if (!binding->terminal) {
            report_unknown_terminal(options, role, text, len);
            return false;
        }
    }
    if (tml_path_is_npz(binding->path)) {
        tml_report(options->command,
                   "`%s` is an archive of arrays; give a file for each, as `np.save(\"%s.npy\", "
                   "...)` writes",
                   binding->path, binding->terminal ? binding->terminal->name : "NAME");
        return false;
    }
    if (is_program(options)) {
        return true;
    }
    if (binding->path[0] == '\0' || binding->path[0] == '=') {
        tml_report(options->command, "`%s` needs FILE or NAME=FILE, found `%s`", option, text);
        return false;
    }
    if (!binding->terminal && tml_path_is_npy(binding->path)) {
        tml_report(options->command, "a .npy file holds one terminal; give its name: `%s NAME=%s`",
                   option, binding->path);
        return false;
    }
    return true;
}

static void report_twice(const Options *options, tml_role role, const Binding *binding) {
    if (binding->terminal) {
        tml_report(options->command, "`%s %s` is given twice", options_of[role],
                   binding->terminal->name);
    } else {
        tml_report(options->command, "`%s` is given twice for all %ss", options_of[role],
                   directions[role]);
    }
}

static bool is_stream(const char *path) {
    return strcmp(path, "-") == 0;
}

// Whether one of the bindings so far is in the way of `binding`.
static bool conflicts(const Options *options, tml_role role, const Binding *binding) {
    const Bindings *bindings = &options->bindings[role];
    bool is_output = role == TML_OUTPUT;
    for (size_t i = 0; i < bindings->count; i++) {
        const Binding *other = &bindings->items[i];
        if (other->terminal == binding->terminal) {
            report_twice(options, role, binding);
            return true;
        }
        if (strcmp(other->path, binding->path) == 0 && (is_output || is_stream(other->path))) {
            tml_report(options->command, "`%s` is given for two %ss", binding->path,
                       directions[role]);
            return true;
        }
    }
    return false;
}

static bool bind(Options *options, tml_role role, const char *text) {
    Binding binding = {.path = text};
    Bindings *bindings = &options->bindings[role];
    if (!is_program(options) && tml_model_count(options->model, role) == 0) {
        tml_report(options->command, "this model has no %ss", directions[role]);
        return false;
    }
    bool right =
        split_binding(options, role, &binding) &&
        (is_program(options) || role == TML_OUTPUT || tml_binding_read(options, &binding)) &&
        !conflicts(options, role, &binding);
    if (!right) {
        free(binding.file);
        return false;
    }
    bindings->items[bindings->count++] = binding;
    return true;
}

// A decimal number, which may have `_` between its digits as in TML.
static bool read_count(const Options *options, const char *option, const char *text, uint64_t least,
                       uint64_t *count) {
    uint64_t n = 0;
    bool fits = isdigit((unsigned char)text[0]);
    for (const char *c = text; *c != '\0' && fits; c++) {
        if (*c == '_') {
            fits = isdigit((unsigned char)c[1]);
            continue;
        }
        uint64_t digit = (uint64_t)(*c - '0');
        fits = isdigit((unsigned char)*c) && n <= (INT64_MAX - digit) / 10;
        n = n * 10 + digit;
    }
    if (!fits || n < least) {
        tml_report(options->command, "`%s` needs a number of steps%s, found `%s`", option,
                   least > 0 ? " from 1" : "", text);
        return false;
    }
    *count = n;
    return true;
}

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

static bool set_steps(Options *options, const char *text) {
    options->has_steps = true;
    return read_count(options, "--steps", text, 0, &options->steps);
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
    return read_count(options, "--every", text, 1, &options->every);
}

static bool refuse_other_columns(Options *options, const char *value) {
    (void)value;
    options->strict_columns = true;
    return true;
}

static bool add_input(Options *options, const char *text) {
    return bind(options, TML_INPUT, text);
}

static bool add_output(Options *options, const char *text) {
    return bind(options, TML_OUTPUT, text);
}

const OptionRow tml_option_rows[OPTION_COUNT] = {
#define OPTION(...) {__VA_ARGS__},
#include "runtime/run/options.def"
#undef OPTION
};

static void report_unknown_option(const Options *options, const char *argument) {
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

bool tml_input_is_named(const Options *options, const tml_variable *terminal) {
    const Bindings *inputs = &options->bindings[TML_INPUT];
    for (size_t i = 0; i < inputs->count; i++) {
        if (inputs->items[i].terminal == terminal) {
            return true;
        }
    }
    return false;
}

// The file of all inputs that are not named, or NULL; false when there are none of these.
static bool file_of_all_is_right(const Options *options, const Binding **all) {
    const Bindings *inputs = &options->bindings[TML_INPUT];
    *all = NULL;
    for (size_t i = 0; i < inputs->count && !*all; i++) {
        *all = inputs->items[i].terminal ? NULL : &inputs->items[i];
    }
    for (size_t i = 0; *all && i < options->model->variable_count; i++) {
        const tml_variable *variable = &options->model->variables[i];
        if (variable->role == TML_INPUT && !tml_input_is_named(options, variable)) {
            return true;
        }
    }
    if (*all) {
        tml_report(options->command, "`%s` gives no input: all of them are given by name",
                   (*all)->path);
    }
    return !*all;
}

// Whether files say how many steps there are.
static bool has_rows(const Options *options) {
    const Bindings *inputs = &options->bindings[TML_INPUT];
    for (size_t i = 0; i < inputs->count; i++) {
        if (inputs->items[i].kind == BINDING_FILE) {
            return true;
        }
    }
    return false;
}

// Every input has a file or a default, or a message lists those that have none.
static bool inputs_are_given(const Options *options) {
    bool all = true;
    const Binding *others;
    if (!file_of_all_is_right(options, &others)) {
        return false;
    }
    for (size_t i = 0; i < options->model->variable_count; i++) {
        const tml_variable *terminal = &options->model->variables[i];
        bool needs_one = terminal->role == TML_INPUT && !terminal->value && !others;
        if (needs_one && !tml_input_is_named(options, terminal)) {
            char type[TML_TYPE_TEXT_BYTES];
            tml_report(options->command, "the input `%s` (%s) is missing; give `--in %s=FILE`",
                       terminal->name, tml_type_text(type, terminal->type), terminal->name);
            all = false;
        }
    }
    bool ends = has_rows(options) || options->has_steps || options->has_until;
    if (all && !is_program(options) && !ends) {
        tml_report(options->command, "%s `--steps N` or `--until CONDITION`",
                   tml_model_count(options->model, TML_INPUT) > 0
                       ? "no input is a file, whose rows would be the steps; give"
                       : "a model without inputs needs");
        return false;
    }
    return all;
}

// A file of another kind than inputs and outputs is for nothing else.
static bool is_apart(const Options *options, const char *path, const char *kind) {
    for (int role = TML_INPUT; path && role <= TML_OUTPUT; role++) {
        const Bindings *bindings = &options->bindings[role];
        for (size_t i = 0; i < bindings->count; i++) {
            bool is_file = bindings->items[i].kind == BINDING_FILE;
            if (is_file && strcmp(bindings->items[i].path, path) == 0) {
                tml_report(options->command, "`%s` is given for an %s and the %s", path,
                           directions[role], kind);
                return false;
            }
        }
    }
    return true;
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
    if (options->trace && is_stream(options->trace) && options->bindings[TML_OUTPUT].count == 0 &&
        tml_model_count(options->model, TML_OUTPUT) > 0) {
        tml_report(options->command,
                   "`-` is given for the trace; give `--out FILE` for the outputs");
        return false;
    }
    return is_apart(options, options->plot, "plot") && is_apart(options, options->trace, "trace") &&
           is_apart(options, options->save_state, "state") &&
           is_apart(options, options->from_state, "state") && watch_has_file(options);
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
    bool right = inputs_are_given(options) && settle_plot(options) && files_are_apart(options) &&
                 (is_program(options) || tml_options_settle_time(options));
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
    tml_condition_free(&options->until);
    free(options->params);
    free(options->set);
}
