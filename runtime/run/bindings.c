// What --in and --out give: whose file it is, and what no two of them may share.
#include "runtime/run/bindings.h"

#include "runtime/abi/type.h"
#include "runtime/file/formats.h"
#include "runtime/run/given.h"
#include "runtime/run/report.h"
#include "runtime/run/variables.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// What messages call the file.
static const char *kind_text(const Options *options) {
    return options_are_of_program(options) ? "program" : "model";
}

const char *const tml_direction_names[] = {[TML_INPUT] = "input", [TML_OUTPUT] = "output"};
static const char *const options_of[] = {[TML_INPUT] = "--in", [TML_OUTPUT] = "--out"};

static tml_role other_direction(tml_role role) {
    return role == TML_INPUT ? TML_OUTPUT : TML_INPUT;
}

// How long the NAME of NAME=FILE is; 0 when the text is a file without a name. Ports have names of
// any characters, and so have terminals that are hardware of instances (`axis[1].io_a`).
static size_t name_length(const Options *options, const char *binding) {
    const char *equals = strchr(binding, '=');
    size_t len = equals ? (size_t)(equals - binding) : 0;
    if (options_are_of_program(options) ||
        tml_model_variable(options->model, TML_INPUT, binding, len) ||
        tml_model_variable(options->model, TML_OUTPUT, binding, len)) {
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
                   tml_direction_names[other], kind, options_of[other]);
    } else if (nearest) {
        tml_report(options->command, "this %s has no %s `%.*s`; did you mean `%s`?", kind,
                   tml_direction_names[role], (int)len, name, nearest);
    } else {
        tml_report(options->command, "this %s has no %s `%.*s`; see `%s --help`", kind,
                   tml_direction_names[role], (int)len, name, options->command);
    }
}

// `v[0]=3` of a terminal `v`.
static bool report_element(const Options *options, tml_role role, const char *text) {
    size_t len = strcspn(text, "[=");
    const tml_variable *whole = text[len] == '[' && strchr(text, '=')
                                    ? tml_model_variable(options->model, role, text, len)
                                    : NULL;
    if (whole) {
        tml_report(options->command, "`%s` gives all of `%s`, as in `%s '%s=[1.0, 2.0]'`",
                   options_of[role], whole->name, options_of[role], whole->name);
    }
    return whole != NULL;
}

// The terminal in `binding->path`, which then is the file alone.
static bool split_binding(const Options *options, tml_role role, Binding *binding) {
    const char *option = options_of[role];
    const char *text = binding->path;
    size_t len = name_length(options, text);
    if (role == TML_INPUT && len == 0 && report_element(options, role, text)) {
        return false;
    }
    if (options_are_of_program(options) && (len == 0 || text[len + 1] == '\0')) {
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
    if (options_are_of_program(options)) {
        return true;
    }
    if (binding->path[0] == '\0' || binding->path[0] == '=') {
        tml_report(options->command, "`%s` needs FILE or NAME=FILE, found `%s`", option, text);
        return false;
    }
    if (role == TML_INPUT && !binding->terminal && tml_path_is_npy(binding->path)) {
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
                   tml_direction_names[role]);
    }
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
        if (strcmp(other->path, binding->path) == 0 && (is_output || path_is_stream(other->path))) {
            tml_report(options->command, "`%s` is given for two %ss", binding->path,
                       tml_direction_names[role]);
            return true;
        }
    }
    return false;
}

bool tml_bindings_add(Options *options, tml_role role, const char *text) {
    Binding binding = {.path = text};
    Bindings *bindings = &options->bindings[role];
    if (!options_are_of_program(options) && tml_model_count(options->model, role) == 0) {
        tml_report(options->command, "this model has no %ss", tml_direction_names[role]);
        return false;
    }
    bool right = split_binding(options, role, &binding) &&
                 (options_are_of_program(options) || role == TML_OUTPUT ||
                  tml_binding_read(options, &binding)) &&
                 !conflicts(options, role, &binding);
    if (!right) {
        free(binding.file);
        return false;
    }
    bindings->items[bindings->count++] = binding;
    return true;
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

bool tml_inputs_say_steps(const Options *options) {
    return has_rows(options) || options->has_steps || options->has_until;
}

// Every input has a file or a default, or a message lists those that have none. What is linearized
// before its first step may be so where they are 0.
bool tml_inputs_are_given(const Options *options) {
    bool is_at_rest = options->linearize && options->has_steps && options->steps == 0;
    bool all = true;
    const Binding *others;
    if (!file_of_all_is_right(options, &others)) {
        return false;
    }
    for (size_t i = 0; i < options->model->variable_count; i++) {
        const tml_variable *terminal = &options->model->variables[i];
        bool needs_one = terminal->role == TML_INPUT && !terminal->value && !others;
        if (needs_one && !tml_input_is_named(options, terminal)) {
            if (is_at_rest) {
                tml_report(options->command, "note: the input `%s` is taken as 0", terminal->name);
                continue;
            }
            char type[TML_TYPE_TEXT_BYTES];
            tml_report(options->command, "the input `%s` (%s) is missing; give `--in %s=FILE`",
                       terminal->name, tml_type_text(type, terminal->type), terminal->name);
            all = false;
        }
    }
    if (all && !options_are_of_program(options) && !tml_inputs_say_steps(options)) {
        tml_report(options->command, "%s `--steps N` or `--until CONDITION`",
                   tml_model_count(options->model, TML_INPUT) > 0
                       ? "no input is a file, whose rows would be the steps; give"
                       : "a model without inputs needs");
        return false;
    }
    return all;
}
