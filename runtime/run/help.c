// The help of a component has its options and all that is known of its variables; that of a program
// has its ports. Columns are as wide as their longest entry.
#include "runtime/abi/type.h"
#include "runtime/run/parse.h"
#include "runtime/run/variables.h"
#include "runtime/text/print.h"

#include <stdio.h>

enum { SHOWN_NUMEL = 32 }; // of defaults; larger ones are left out

static void write_padded(Writer *out, const char *text, size_t width) {
    tml_write_text(out, text);
    for (size_t len = strlen(text); len < width; len++) {
        tml_write_char(out, ' ');
    }
}

static const char *type_text(char text[TML_TYPE_TEXT_BYTES], const tml_variable *variable) {
    return variable->type ? tml_type_text(text, variable->type) : "str";
}

static void write_value(Writer *out, const tml_variable *variable) {
    if (!variable->value) {
        return;
    }
    if (variable->role == TML_DEBUG) {
        tml_write_text(out, "  ");
        tml_write_text(out, variable->value);
        return;
    }
    tml_write_text(out, "  = ");
    if (!variable->type) {
        tml_write_char(out, '"');
        tml_write_text(out, variable->value);
        tml_write_char(out, '"');
    } else if (tml_type_numel(variable->type) <= SHOWN_NUMEL) {
        tml_write_value_line(out, variable->type, variable->value);
    } else {
        tml_write_text(out, "[...]");
    }
}

static bool has_notes(const tml_variable *variable) {
    bool terminal = variable->role == TML_INPUT || variable->role == TML_OUTPUT;
    return terminal && (variable->optional || !variable->feedthrough);
}

static void write_notes(Writer *out, const tml_variable *variable) {
    if (has_notes(variable)) {
        tml_write_text(out, variable->optional ? "  optional" : "");
        tml_write_text(out, variable->feedthrough ? "" : "  not feedthrough");
    }
}

static size_t wider(size_t width, const char *text) {
    size_t len = strlen(text);
    return len > width ? len : width;
}

static size_t name_width(const tml_model *model, tml_role role) {
    size_t width = 0;
    for (size_t i = 0; i < model->variable_count; i++) {
        if (model->variables[i].role == role) {
            width = wider(width, model->variables[i].name);
        }
    }
    return width;
}

// Where the value lies in the struct of its role; constants are in none.
static void write_place(Writer *out, const tml_variable *variable) {
    char text[64];
    if (variable->role != TML_CONSTANT) {
        uint64_t bytes = tml_type_numel(variable->type) * tml_scalar_bytes(variable->type);
        snprintf(text, sizeof text, "  at %zu, %llu %s", variable->offset,
                 (unsigned long long)bytes, bytes == 1 ? "byte" : "bytes");
        tml_write_text(out, text);
    }
}

static void list(Writer *out, const tml_model *model, tml_role role, size_t names,
                 const char *title, bool describes) {
    char type[TML_TYPE_TEXT_BYTES];
    size_t types = 0;
    if (tml_model_count(model, role) == 0) {
        return;
    }
    for (size_t i = 0; i < model->variable_count; i++) {
        if (model->variables[i].role == role) {
            types = wider(types, type_text(type, &model->variables[i]));
        }
    }
    tml_write_text(out, title);
    for (size_t i = 0; i < model->variable_count; i++) {
        const tml_variable *variable = &model->variables[i];
        if (variable->role == role) {
            bool more = variable->value || has_notes(variable) || describes;
            tml_write_text(out, "  ");
            write_padded(out, variable->name, names + 2);
            write_padded(out, type_text(type, variable), more ? types : 0);
            if (describes) {
                write_place(out, variable);
            }
            write_value(out, variable);
            write_notes(out, variable);
            tml_write_char(out, '\n');
        }
    }
}

static void write_options(Writer *out, bool inputs) {
    enum { WIDTH = 18 };
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        for (size_t k = 0; k < 3 && tml_option_rows[i].help[k].argument; k++) {
            char option[64];
            if (tml_option_rows[i].help[k].when ==
                (inputs ? HELP_WITHOUT_INPUTS : HELP_WITH_INPUTS)) {
                continue;
            }
            const char *argument = tml_option_rows[i].help[k].argument;
            snprintf(option, sizeof option, "  %s%s%s", tml_option_rows[i].spelling,
                     argument[0] == '\0' ? "" : " ", argument);
            write_padded(out, option, WIDTH + 2);
            tml_write_text(out, tml_option_rows[i].help[k].text);
            tml_write_char(out, '\n');
        }
    }
}

static void list_all(Writer *out, const tml_model *model, bool describes) {
    static const struct {
        tml_role role;
        const char *title;
    } parts[] = {{TML_INPUT, "\ninputs:\n"},
                 {TML_OUTPUT, "\noutputs:\n"},
                 {TML_PARAM, "\ntunable properties:\n"},
                 {TML_CONSTANT, "\nfixed properties:\n"},
                 {TML_VARIABLE, "\nstate:\n"},
                 {TML_DEBUG, "\ndebug signals:\n"}};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        tml_role role = parts[i].role;
        list(out, model, role, name_width(model, role), parts[i].title, describes);
    }
}

void tml_description_write(Writer *out, const Options *options) {
    const tml_model *model = options->model;
    char text[256];
    snprintf(text, sizeof text,
             ": layout %016llx; inputs %zu, outputs %zu, properties %zu, state %zu bytes\n",
             (unsigned long long)model->layout, model->inputs_bytes, model->outputs_bytes,
             model->params_bytes, model->state_bytes);
    tml_write_text(out, model->name);
    tml_write_text(out, text);
    list_all(out, model, true);
    tml_write_text(out, "\nInputs, outputs, state and debug signals can be watched and plotted by "
                        "these names.\n");
}

static void component_help(Writer *out, const tml_model *model) {
    bool inputs = tml_model_count(model, TML_INPUT) > 0;
    tml_write_text(out, inputs ? " --in [NAME=]FILE...\n" : " --steps N\n");
    write_options(out, inputs);
    if (inputs) {
        tml_write_text(out, "\nsources, with their defaults:\n");
        tml_waves_write(out);
    }
    list_all(out, model, false);
}

static void program_help(Writer *out, const tml_model *model) {
    bool inputs = tml_model_count(model, TML_INPUT) > 0,
         outputs = tml_model_count(model, TML_OUTPUT) > 0;
    size_t width = name_width(model, TML_INPUT), other = name_width(model, TML_OUTPUT);
    width = width > other ? width : other;
    tml_write_text(out, inputs ? " --in NAME=FILE..." : "");
    tml_write_text(out, outputs ? " [--out NAME=FILE]...\n" : "\n");
    list(out, model, TML_INPUT, width, "\ninputs:\n", false);
    list(out, model, TML_OUTPUT, width, "\noutputs:\n", false);
    tml_write_text(out, inputs || outputs
                            ? "\nFILE is a NumPy array (.npy), a TML literal (.tml) or CSV; "
                              "`-` is standard input or output.\n"
                            : "");
    tml_write_text(out, outputs ? "Outputs that are not given are printed.\n" : "");
}

void tml_help_write(Writer *out, const Options *options) {
    tml_write_text(out, "usage: ");
    tml_write_text(out, options->command);
    if (options->model->kind == TML_PROGRAM) {
        program_help(out, options->model);
    } else {
        component_help(out, options->model);
    }
}
