// What describes the command line and its messages: --help, from the rows of commands.def,
// options.def, emit.def and warning.def, and --explain. Keeps the table of commands.
#include "driver/options.h"

#include "parser/mistakes/foreign.h"
#include "sema/help.h"
#include "sema/warn/shown.h"
#include "support/suggest.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const CommandRow command_rows[COMMAND_COUNT] = {
#define COMMAND(ID, word, usage, INPUTS, TAKES, missing, surplus, help) \
    {word, usage, INPUTS_##INPUTS, COMMAND_##TAKES, missing, surplus, help},
#include "driver/commands.def"
};

const CommandRow *command_row(Command command) {
    return &command_rows[command];
}

bool command_runs(Command command) {
    return command == COMMAND_RUN || command == COMMAND_LINEARIZE;
}

bool command_takes(Command command, const OptionRow *row) {
    return row->command == command ||
           (row->command >= COMMAND_ANY && row->command <= command_row(command)->takes);
}

bool command_is_option(Command command) {
    const CommandRow *row = command_row(command);
    return row->inputs == INPUTS_NONE && row->word[0] == '\0';
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

void option_help(Buffer *out, const OptionRow *row) {
    const char *word = row->command >= COMMAND_ANY ? "" : command_row(row->command)->word;
    if (word[0] != '\0') {
        buffer_format(out, "with %s: ", word);
    }
    buffer_text(out, row->help);
}

static void print_option(Buffer *out, const OptionRow *row, const char *help) {
    char left[80];
    const char *join = row->form == FORM_VALUE || row->form == FORM_CHOICE ? "="
                       : row->form == FORM_LETTER                          ? " "
                       : row->form == FORM_OPTIONAL                        ? "[="
                                                                           : "";
    snprintf(left, sizeof(left), "%s%s%s%s", row->spelling, join, row->argument,
             row->form == FORM_OPTIONAL ? "]" : "");
    help_row(out, left, help);
}

// Those that one command takes: its own, or those of several.
static void print_options_of(Buffer *out, Command command, bool own) {
    for (int id = 0; id < OPTION_COUNT; id++) {
        const OptionRow *row = option_row((OptionId)id);
        if (command_takes(command, row) && (row->command == command) == own &&
            row->help[0] != '\0') {
            print_option(out, row, row->help);
        }
    }
}

static void print_all_options(Buffer *out) {
    for (int id = 0; id < OPTION_COUNT; id++) {
        const OptionRow *row = option_row((OptionId)id);
        Buffer help = {0};
        option_help(&help, row);
        if (row->help[0] != '\0') {
            print_option(out, row, help.data);
        }
        buffer_free(&help);
    }
}

static void print_command(Buffer *out, const CommandRow *row) {
    enum { COLUMN = 21 };
    size_t width = strlen(row->word) + 1 + strlen(row->usage);
    buffer_format(out, "  tmlc %s %s", row->word, row->usage);
    buffer_repeat(out, ' ', width < COLUMN ? COLUMN - width : 0);
    buffer_format(out, "  %s\n", row->help);
}

static void help_of_command(Buffer *out, Command command) {
    print_command(out, command_row(command));
    buffer_text(out, "\nOptions:\n");
    print_options_of(out, command, true);
    print_options_of(out, command, false);
    buffer_text(out, "\n`tmlc --help` lists the other commands, kinds of output and warnings.\n");
}

void options_help(Command about, Buffer *out) {
    if (about != COMMAND_ANY) {
        help_of_command(out, about);
        return;
    }
    buffer_text(out, "tmlc compiles TML, a language of fixed-size tensors, to native code.\n\n"
                     "  tmlc FILE -o OUTPUT         an executable, or what OUTPUT's suffix says\n"
                     "  tmlc -c FILE                an object and its C header\n");
    for (int id = 0; id < COMMAND_COUNT; id++) {
        if (command_row((Command)id)->word[0] != '\0') {
            print_command(out, command_row((Command)id));
        }
    }
    buffer_text(
        out,
        "  tmlc --explain CODE         what a message means, or a function does\n\nOptions:\n");
    print_all_options(out);
    buffer_text(out, "\nKinds of output:\n");
    for (int kind = 0; kind < EMIT_KIND_COUNT; kind++) {
        help_row(out, emit_row((EmitKind)kind)->name, emit_row((EmitKind)kind)->help);
    }
    static const char *const titles[] = {
        [WARNINGS_DEFAULT] = "Warnings that are on",
        [WARNINGS_ALL] = "Warnings that -Wall turns on",
        [WARNINGS_EXTRA] = "Warnings that -Wextra turns on, with those of -Wall",
    };
    for (int group = WARNINGS_DEFAULT; group <= WARNINGS_EXTRA; group++) {
        buffer_format(out, "\n%s:\n", titles[group]);
        for (int i = 0; i < WARNING_COUNT; i++) {
            const WarningRow *row = warning_row((Warning)i);
            if (row->group == (WarningGroup)group) {
                help_row(out, row->name, row->help);
            }
        }
    }
    buffer_text(out,
                "\nExit status: 0, 1 errors in the program, 2 wrong usage, 3 files or linker,\n"
                "70 a bug in the compiler; 101 a program run by `run` trapped.\n");
}

// Made from docs/diagnostics.md and docs/warnings.md by explain.awk when the compiler is built.
static const struct Explanation {
    const char *code; // or the name of a warning
    const char *text;
} explanations[] = {
#include "explanations.inc"
};

// What a function of another language is in TML, as messages say it; false when it is not known.
static bool explain_foreign(const char *name, Arena *arena, Buffer *out) {
    Slice word = {name, strlen(name)};
    const ForeignWord *foreign = foreign_find(word, FOREIGN_NAME | FOREIGN_SENTENCE);
    bool is_name = foreign != NULL && (foreign->roles & FOREIGN_NAME) != 0;
    const char *help = is_name           ? help_of_function(arena, foreign->tml, true)
                       : foreign == NULL ? help_of_foreign(arena, word)
                                         : NULL;
    if (is_name) {
        buffer_format(out, "TML writes `%s`\n", foreign->tml);
    }
    if (help != NULL) {
        buffer_format(out, is_name ? "\n%s\n" : "TML has %s\n", help);
    }
    if (foreign != NULL && !is_name) {
        buffer_format(out, "`%s` is no function of TML: %s\n", name, foreign->tml);
    }
    return foreign != NULL || help != NULL;
}

bool options_explain(const char *code, Buffer *out) {
    code = text_begins_with(code, "-W") ? code + strlen("-W") : code;
    Suggestion suggestion = suggestion_for(code, strlen(code));
    for (size_t i = 0; i < sizeof(explanations) / sizeof(explanations[0]); i++) {
        if (strcasecmp(explanations[i].code, code) == 0) {
            buffer_text(out, explanations[i].text);
            return true;
        }
        bool is_name = islower((unsigned char)explanations[i].code[0]);
        suggestion_try(&suggestion, is_name ? explanations[i].code : "");
    }
    Arena *arena = arena_create();
    const char *help = help_of_function(arena, code, true);
    if (help != NULL) {
        buffer_format(out, "%s\n", help);
    }
    bool is_known = help != NULL || explain_foreign(code, arena, out);
    arena_destroy(arena);
    if (is_known) {
        return true;
    }
    help_suggest(&suggestion);
    buffer_format(out, "there is no message and no function `%s`; ", code);
    if (suggestion.nearest == NULL) {
        buffer_text(out, "codes look like E0501, names of warnings like unused");
    } else {
        buffer_format(out, "did you mean `%s`?", suggestion.nearest);
    }
    return false;
}
