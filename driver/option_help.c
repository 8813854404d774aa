// What describes the command line and its messages: --help, from the rows of options.def, emit.def
// and warning.def, and --explain. Keeps the table of options, which completions.c prints as well.
#include "driver/options.h"

#include "driver/warnings.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static const OptionRow option_rows[OPTION_COUNT] = {
#define OPTION(ID, spelling, FORM, argument, help) {spelling, FORM_##FORM, argument, help},
#include "driver/options.def"
};

const OptionRow *option_row(OptionId id) {
    return &option_rows[id];
}

static void help_row(Buffer *out, const char *left, const char *help) {
    enum { COLUMN = 34 };
    size_t width = strlen(left) + 2;
    buffer_format(out, "  %s", left);
    if (width >= COLUMN) {
        buffer_text(out, "\n");
        width = 0;
    }
    buffer_repeat(out, ' ', COLUMN - width);
    buffer_format(out, "%s\n", help);
}

static void help_option(Buffer *out, const OptionRow *row) {
    char left[80];
    const char *join = row->form == FORM_VALUE || row->form == FORM_CHOICE ? "="
                       : row->form == FORM_LETTER                          ? " "
                       : row->form == FORM_OPTIONAL                        ? "[="
                                                                           : "";
    snprintf(left, sizeof(left), "%s%s%s%s", row->spelling, join, row->argument,
             row->form == FORM_OPTIONAL ? "]" : "");
    help_row(out, left, row->help);
}

void options_help(Buffer *out) {
    buffer_text(out, "tmlc compiles TML, a language of fixed-size tensors, to native code.\n\n"
                     "  tmlc FILE -o OUTPUT        an executable, or what OUTPUT's suffix says\n"
                     "  tmlc -c FILE               an object and its C header\n"
                     "  tmlc check FILE...         look for errors only\n"
                     "  tmlc run FILE [-- ARGS]    compile in memory and run\n"
                     "  tmlc shape QUERY           how types combine: 'tensor<int, 3, 1> + int'\n"
                     "  tmlc --explain CODE        what a message means\n\nOptions:\n");
    for (int id = 0; id < OPTION_COUNT; id++) {
        if (option_rows[id].help[0] != '\0') {
            help_option(out, &option_rows[id]);
        }
    }
    buffer_text(out, "\nKinds of output:\n");
    for (int kind = 0; kind < EMIT_KIND_COUNT; kind++) {
        help_row(out, emit_row((EmitKind)kind)->name, emit_row((EmitKind)kind)->help);
    }
    for (int on = 1; on >= 0; on--) {
        buffer_text(out, on ? "\nWarnings:\n" : "\nWarnings that are off by default:\n");
        for (int i = 0; i < WARNING_COUNT; i++) {
            const WarningRow *row = warning_row((Warning)i);
            if (row->is_on == (on == 1)) {
                help_row(out, row->name, row->help);
            }
        }
    }
    buffer_text(out,
                "\nExit status: 0, 1 errors in the program, 2 wrong usage, 3 files or linker,\n"
                "70 a bug in the compiler; 101 a program run by `run` trapped.\n");
}

// Made from docs/diagnostics.md by explain.awk when the compiler is built.
static const struct Explanation {
    const char *code;
    const char *text;
} explanations[] = {
#include "explanations.inc"
};

bool options_explain(const char *code, Buffer *out) {
    for (size_t i = 0; i < sizeof(explanations) / sizeof(explanations[0]); i++) {
        if (strcasecmp(explanations[i].code, code) == 0) {
            buffer_text(out, explanations[i].text);
            return true;
        }
    }
    return false;
}
