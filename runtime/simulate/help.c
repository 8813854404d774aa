#include "runtime/simulate/help.h"

#include "runtime/abi/type.h"
#include "runtime/simulate/variables.h"
#include "runtime/text/print.h"

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

static void list(Writer *out, const tml_model *model, tml_role role, const char *title) {
    char type[TML_TYPE_TEXT_BYTES];
    size_t name_width = 0, type_width = 0;
    if (model_count(model, role) == 0) {
        return;
    }
    for (size_t i = 0; i < model->variable_count; i++) {
        if (model->variables[i].role == role) {
            name_width = wider(name_width, model->variables[i].name);
            type_width = wider(type_width, type_text(type, &model->variables[i]));
        }
    }
    tml_write_text(out, title);
    for (size_t i = 0; i < model->variable_count; i++) {
        const tml_variable *variable = &model->variables[i];
        if (variable->role == role) {
            bool more = variable->value || has_notes(variable);
            tml_write_text(out, "  ");
            write_padded(out, variable->name, name_width + 2);
            write_padded(out, type_text(type, variable), more ? type_width : 0);
            write_value(out, variable);
            write_notes(out, variable);
            tml_write_char(out, '\n');
        }
    }
}

void model_help(Writer *out, const tml_model *model, const char *command) {
    bool inputs = model_count(model, TML_INPUT) > 0;
    tml_write_text(out, "usage: ");
    tml_write_text(out, command);
    tml_write_text(out, inputs ? " --in [NAME=]FILE...\n" : " --steps N\n");
    tml_write_text(out, inputs ? "  --in FILE         a CSV file with the columns of all inputs\n"
                                 "  --in NAME=FILE    a file for one input, .csv or .npy\n"
                               : "");
    tml_write_text(out, "  --out FILE        all outputs as CSV (default: standard output)\n"
                        "  --out NAME=FILE   one output, .csv or .npy\n"
                        "  --set NAME=VALUE  gives a tunable property another value\n");
    tml_write_text(out, inputs ? "  --steps N         stops after N steps (default: all rows)\n"
                               : "  --steps N         how many steps to run\n");
    tml_write_text(out, "  --every K         writes the steps 0, K, 2K, ... only\n"
                        "  --plot FILE       draws the outputs over the steps, .svg or .png\n");
    list(out, model, TML_INPUT, "\ninputs:\n");
    list(out, model, TML_OUTPUT, "\noutputs:\n");
    list(out, model, TML_PARAM, "\ntunable properties:\n");
    list(out, model, TML_CONSTANT, "\nfixed properties:\n");
    list(out, model, TML_VARIABLE, "\nstate:\n");
}
