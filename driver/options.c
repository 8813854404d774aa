// The command line: every option is a row of options.def, found by its spelling and applied by one
// switch. What follows from several options together is settled at the end.
#include "driver/options.h"

#include "driver/warnings.h"
#include "support/bug.h"
#include "support/suggest.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef enum OptionForm {
    FORM_FLAG,
    FORM_VALUE,
    FORM_CHOICE,
    FORM_JOINED,
    FORM_LETTER,
} OptionForm;

typedef enum OptionId {
#define OPTION(ID, spelling, FORM, argument, help) OPTION_##ID,
#include "driver/options.def"
    OPTION_COUNT,
} OptionId;

typedef struct OptionRow {
    const char *spelling;
    OptionForm form;
    const char *argument; // FORM_CHOICE: the choices, separated by |
    const char *help;
} OptionRow;

static const OptionRow option_rows[OPTION_COUNT] = {
#define OPTION(ID, spelling, FORM, argument, help) {spelling, FORM_##FORM, argument, help},
#include "driver/options.def"
};

static const struct CommandWord {
    Command command;
    const char *word;
} command_words[] = {
    {COMMAND_CHECK, "check"},
    {COMMAND_RUN, "run"},
    {COMMAND_SHAPE, "shape"},
};
enum { COMMAND_WORD_COUNT = sizeof(command_words) / sizeof(command_words[0]) };

// Output suffixes and kinds that there will be.
static const char *const later_suffixes[] = {".a", ".so", ".h", ".json"};
static const char *const later_kinds[] = {"header", "json"};
enum {
    LATER_SUFFIX_COUNT = sizeof(later_suffixes) / sizeof(later_suffixes[0]),
    LATER_KIND_COUNT = sizeof(later_kinds) / sizeof(later_kinds[0]),
};

typedef struct Parser {
    Options *options;
    Arena *arena;
    Buffer *error;
    int argc;
    char **argv;
    int next;         // index in argv of the argument to read
    bool command_set; // a command word was seen, or an input that shows there is none
} Parser;

static bool starts_with(const char *text, const char *prefix) {
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static bool fail_suggesting(Parser *parser, const char *nearest) {
    if (nearest) {
        buffer_format(parser->error, "; did you mean `%s`?", nearest);
    }
    return false;
}

static bool fail_unknown_option(Parser *parser, const char *argument) {
    Suggestion suggestion = suggestion_for(argument, strcspn(argument, "="));
    for (int id = 0; id < OPTION_COUNT; id++) {
        if (option_rows[id].help[0] != '\0') {
            suggestion_try(&suggestion, option_rows[id].spelling);
        }
    }
    buffer_format(parser->error, "unknown option `%s`", argument);
    return fail_suggesting(parser, suggestion.nearest);
}

// The position of `value` among the choices of an option, or -1 after an error.
static int choose(Parser *parser, OptionId id, const char *value) {
    const char *choices = option_rows[id].argument;
    int position = 0;
    for (const char *choice = choices; *choice; position++) {
        size_t len = strcspn(choice, "|");
        if (strlen(value) == len && memcmp(choice, value, len) == 0) {
            return position;
        }
        choice += len + (choice[len] == '|');
    }
    buffer_format(parser->error, "unknown value `%s` for `%s`; expected %s", value,
                  option_rows[id].spelling, choices);
    return -1;
}

static bool add_emit_kind(Parser *parser, Slice name) {
    Suggestion suggestion = suggestion_for(name.data, name.len);
    for (int kind = 0; kind < EMIT_KIND_COUNT; kind++) {
        const char *known = emit_name((EmitKind)kind);
        if (strlen(known) == name.len && memcmp(known, name.data, name.len) == 0) {
            parser->options->emits |= 1U << kind;
            return true;
        }
        suggestion_try(&suggestion, known);
    }
    for (size_t i = 0; i < LATER_KIND_COUNT; i++) {
        if (strlen(later_kinds[i]) == name.len &&
            memcmp(later_kinds[i], name.data, name.len) == 0) {
            buffer_format(parser->error, "`--emit=%s` is not supported yet", later_kinds[i]);
            return false;
        }
    }
    buffer_format(parser->error, "unknown output kind `%.*s`", (int)name.len, name.data);
    return fail_suggesting(parser, suggestion.nearest);
}

static bool add_emit_kinds(Parser *parser, const char *list) {
    for (const char *name = list;;) {
        size_t len = strcspn(name, ",");
        if (!add_emit_kind(parser, (Slice){name, len})) {
            return false;
        }
        if (name[len] == '\0') {
            return true;
        }
        name += len + 1;
    }
}

static bool set_warning(Parser *parser, const char *name) {
    bool enabled = !starts_with(name, "no-");
    const char *bare = enabled ? name : name + strlen("no-");
    const char *nearest = NULL;
    if (warning_is_known(bare, strlen(bare), &nearest)) {
        WarningSetting setting = {bare, enabled};
        LIST_PUSH(parser->arena, &parser->options->compile.warnings, setting);
        return true;
    }
    buffer_format(parser->error, "unknown warning `-W%s`", name);
    if (nearest) {
        nearest = arena_format(parser->arena, "-W%s%s", enabled ? "" : "no-", nearest);
    }
    return fail_suggesting(parser, nearest);
}

// `NAME=VALUE` or, for --with, `NAME`; the name is in a namespace (L10.1).
static bool add_interface_name(Parser *parser, OptionId id, const char *value) {
    bool wants_value = id == OPTION_DEFINE;
    size_t len = strcspn(value, "=");
    bool has_value = value[len] == '=' && value[len + 1] != '\0';
    bool in_namespace = wants_value ? starts_with(value, "p.") || starts_with(value, "n.")
                                    : starts_with(value, "t.");
    if (!in_namespace || len <= 2 || (wants_value ? !has_value : value[len] != '\0')) {
        buffer_format(parser->error, "`%s` takes %s, not `%s`", option_rows[id].spelling,
                      wants_value ? "p.NAME=VALUE or n.NAME=VALUE" : "t.NAME", value);
        return false;
    }
    const char *name = arena_copy_text(parser->arena, value, len);
    LIST_PUSH(parser->arena, &parser->options->compile.interface_names, name);
    return true;
}

static bool set_level(Parser *parser, const char *value) {
    if (value[0] < '0' || value[0] > '3' || value[1] != '\0') {
        buffer_format(parser->error, "unknown optimisation level `-O%s`; expected -O0 to -O3",
                      value);
        return false;
    }
    parser->options->compile.codegen.opt_level = (unsigned)(value[0] - '0');
    return true;
}

static void set_rank_promotion(Parser *parser, int choice) {
    enum { ALLOW, WARN, ERROR };
    CompileOptions *compile = &parser->options->compile;
    WarningSetting setting = {"rank-promotion", choice == WARN};
    LIST_PUSH(parser->arena, &compile->warnings, setting);
    compile->exact_rank = choice == ERROR;
}

static bool apply(Parser *parser, OptionId id, const char *value) {
    Options *options = parser->options;
    int choice = option_rows[id].form == FORM_CHOICE ? choose(parser, id, value) : 0;
    if (choice < 0) {
        return false;
    }
    switch (id) {
    case OPTION_OUTPUT: options->output = value; return true;
    case OPTION_OBJECT: options->emits |= 1U << EMIT_OBJECT; return true;
    case OPTION_EMIT: return add_emit_kinds(parser, value);
    case OPTION_LEVEL: return set_level(parser, value);
    case OPTION_DEBUG: options->compile.codegen.debug = true; return true;
    case OPTION_TARGET: options->compile.codegen.target = value; return true;
    case OPTION_CPU: options->compile.codegen.cpu = value; return true;
    case OPTION_REAL: options->compile.single = choice == 1; return true;
    case OPTION_FP: options->compile.codegen.fp = (FpMode)(FP_STRICT + choice); return true;
    case OPTION_CHECKS: options->compile.codegen.checks = choice == 0; return true;
    case OPTION_RANK_PROMOTION: set_rank_promotion(parser, choice); return true;
    case OPTION_DIAGNOSTICS: options->format = (RenderFormat)choice; return true;
    case OPTION_COLOR: options->color = (ColorMode)choice; return true;
    case OPTION_DEFINE:
    case OPTION_WITH: return add_interface_name(parser, id, value);
    case OPTION_NO_WARNINGS: options->compile.no_warnings = true; return true;
    case OPTION_WERROR: options->compile.warnings_are_errors = true; return true;
    case OPTION_WARNING: return set_warning(parser, value);
    case OPTION_REPORT: options->report = true; return true;
    case OPTION_TYPES: options->types = true; return true;
    case OPTION_TIME: options->time = true; return true;
    case OPTION_VERBOSE: options->verbose = true; return true;
    case OPTION_SAVE_TEMPS: options->save_temps = true; return true;
    case OPTION_EXPLAIN:
        options->command = COMMAND_EXPLAIN;
        options->explain = value;
        return true;
    case OPTION_VERSION: options->command = COMMAND_VERSION; return true;
    case OPTION_HELP:
    case OPTION_HELP_SHORT: options->command = COMMAND_HELP; return true;
    case OPTION_VERIFY_TIR: options->compile.verify_tir = true; return true;
    case OPTION_COUNT: break;
    }
    UNREACHABLE();
}

// Does `argument` spell this option? Then *value is what stands in the same argument, or NULL.
static bool option_matches(const OptionRow *row, const char *argument, const char **value) {
    size_t len = strlen(row->spelling);
    if (!starts_with(argument, row->spelling)) {
        return false;
    }
    const char *rest = argument + len;
    *value = *rest ? rest : NULL;
    switch (row->form) {
    case FORM_FLAG:
    case FORM_VALUE:
    case FORM_CHOICE: *value = *rest == '=' ? rest + 1 : NULL; return *rest == '\0' || *rest == '=';
    case FORM_JOINED: *value = rest; return true;
    case FORM_LETTER: return true;
    }
    UNREACHABLE();
}

static bool parse_option(Parser *parser, const char *argument) {
    for (int id = 0; id < OPTION_COUNT; id++) {
        const OptionRow *row = &option_rows[id];
        const char *value = NULL;
        if (!option_matches(row, argument, &value)) {
            continue;
        }
        if (row->form == FORM_FLAG && value) {
            buffer_format(parser->error, "option `%s` takes no value", row->spelling);
            return false;
        }
        if (row->form != FORM_FLAG && !value) {
            if (parser->next == parser->argc) {
                buffer_format(parser->error, "option `%s` needs a value: %s", row->spelling,
                              row->argument);
                return false;
            }
            value = parser->argv[parser->next++];
        }
        return apply(parser, (OptionId)id, value ? value : "");
    }
    return fail_unknown_option(parser, argument);
}

// A command, or a word that is neither one nor a file and resembles one.
static bool parse_command(Parser *parser, const char *word, bool *is_command) {
    Suggestion suggestion = suggestion_for(word, strlen(word));
    for (size_t i = 0; i < COMMAND_WORD_COUNT; i++) {
        if (strcmp(word, command_words[i].word) == 0) {
            parser->options->command = command_words[i].command;
            *is_command = true;
            return true;
        }
        suggestion_try(&suggestion, command_words[i].word);
    }
    if (suggestion.nearest && !strpbrk(word, "./") && access(word, F_OK) != 0) {
        buffer_format(parser->error, "unknown command `%s`", word);
        return fail_suggesting(parser, suggestion.nearest);
    }
    return true;
}

static bool parse_word(Parser *parser, const char *word) {
    Options *options = parser->options;
    if (!parser->command_set) {
        parser->command_set = true;
        bool is_command = false;
        if (!parse_command(parser, word, &is_command) || is_command) {
            return is_command;
        }
    }
    if (options->inputs.count > 0 && options->command != COMMAND_CHECK) {
        buffer_format(parser->error, "unexpected argument `%s`; %s", word,
                      options->command == COMMAND_RUN ? "arguments of the program follow `--`"
                      : options->command == COMMAND_SHAPE
                          ? "a query is one argument, in quotes"
                          : "one file is compiled at a time (`check` takes several)");
        return false;
    }
    LIST_PUSH(parser->arena, &options->inputs, word);
    return true;
}

static bool parse_arguments(Parser *parser) {
    Options *options = parser->options;
    bool words_only = false;
    while (parser->next < parser->argc) {
        const char *argument = parser->argv[parser->next++];
        if (words_only && options->command == COMMAND_RUN) {
            LIST_PUSH(parser->arena, &options->run_args, argument);
            continue;
        }
        if (!words_only && strcmp(argument, "--") == 0) {
            words_only = true;
            continue;
        }
        bool is_option = !words_only && argument[0] == '-' && argument[1] != '\0';
        if (is_option ? !parse_option(parser, argument) : !parse_word(parser, argument)) {
            return false;
        }
        if (options->command > COMMAND_SHAPE) {
            return true; // --help and its like settle everything
        }
    }
    return true;
}

// The kind that the suffix of the output asks for.
static bool kind_of_output(Parser *parser, const char *output, EmitKind *kind) {
    const char *base = strrchr(output, '/');
    const char *suffix = strrchr(base ? base : output, '.');
    *kind = EMIT_EXE;
    if (!suffix) {
        return true;
    }
    for (int i = 0; i < EMIT_KIND_COUNT; i++) {
        if (strcmp(emit_suffix((EmitKind)i), suffix) == 0) {
            *kind = (EmitKind)i;
            return true;
        }
    }
    for (size_t i = 0; i < LATER_SUFFIX_COUNT; i++) {
        if (strcmp(later_suffixes[i], suffix) == 0) {
            buffer_format(parser->error, "output `%s` is not supported yet: its suffix is `%s`",
                          output, suffix);
            return false;
        }
    }
    return true;
}

// Makes -o and the wanted kinds agree.
static bool settle_output(Parser *parser) {
    Options *options = parser->options;
    if (!options->output) {
        options->emits = options->emits ? options->emits : 1U << EMIT_EXE;
        return true;
    }
    bool several = (options->emits & (options->emits - 1)) != 0;
    if (several) {
        buffer_text(parser->error, "`-o` names one output, but several kinds are wanted");
        return false;
    }
    if (strcmp(options->output, "-") == 0) {
        if (options->report) {
            buffer_text(parser->error, "`--report` and `-o -` both want standard output");
            return false;
        }
        for (int kind = 0; kind < EMIT_KIND_COUNT; kind++) {
            if ((options->emits & 1U << kind) && emit_is_text((EmitKind)kind)) {
                return true;
            }
        }
        buffer_text(parser->error, "`-o -` needs a text kind, such as `--emit=llvm`");
        return false;
    }
    EmitKind by_suffix = EMIT_EXE;
    if (!kind_of_output(parser, options->output, &by_suffix)) {
        return false;
    }
    unsigned wanted = 1U << by_suffix;
    // A name without a suffix that says something may hold any kind.
    if (options->emits && options->emits != wanted && by_suffix != EMIT_EXE) {
        buffer_format(parser->error, "output `%s` and the kind of `--emit` or `-c` disagree",
                      options->output);
        return false;
    }
    options->emits = options->emits ? options->emits : wanted;
    return true;
}

static CompileStage stage_of_emits(unsigned emits) {
    if (emits >> EMIT_LLVM) {
        return STAGE_CODEGEN;
    }
    if (emits & 1U << EMIT_TIR) {
        return STAGE_PASSES;
    }
    return emits & 1U << EMIT_AST ? STAGE_PARSE : STAGE_READ;
}

static const char *command_text(Command command) {
    for (size_t i = 0; i < COMMAND_WORD_COUNT; i++) {
        if (command_words[i].command == command) {
            return command_words[i].word;
        }
    }
    UNREACHABLE();
}

static bool settle(Parser *parser) {
    Options *options = parser->options;
    if (options->command > COMMAND_SHAPE) {
        return true;
    }
    if (options->inputs.count == 0) {
        buffer_text(parser->error, options->command == COMMAND_SHAPE
                                       ? "`shape` needs a query, such as 'tensor<real, 3> + real'"
                                       : "no input file");
        return false;
    }
    if (options->command != COMMAND_COMPILE && (options->output || options->emits)) {
        buffer_format(parser->error, "`%s` writes no output: `-o`, `-c` and `--emit` go without it",
                      command_text(options->command));
        return false;
    }
    if (options->types && options->command != COMMAND_CHECK) {
        buffer_text(parser->error, "`--types` goes with `check`");
        return false;
    }
    options->compile.note_uses = options->types;
    if (options->command == COMMAND_COMPILE && !settle_output(parser)) {
        return false;
    }
    switch (options->command) {
    case COMMAND_COMPILE:
        options->compile.stage = stage_of_emits(options->emits);
        options->compile.executable = (options->emits & 1U << EMIT_EXE) != 0;
        break;
    case COMMAND_RUN: options->compile.executable = true; break;
    case COMMAND_CHECK:
    case COMMAND_SHAPE: options->compile.stage = STAGE_CHECK; break;
    case COMMAND_EXPLAIN:
    case COMMAND_VERSION:
    case COMMAND_HELP: UNREACHABLE();
    }
    if (options->report && options->compile.stage < STAGE_PASSES) {
        options->compile.stage = STAGE_PASSES; // planning counts the bytes
    }
    return true;
}

bool options_parse(Options *options, Arena *arena, int argc, char **argv, Buffer *error) {
    *options = (Options){.compile = compile_defaults()};
    Parser parser = {
        .options = options, .arena = arena, .error = error, .argc = argc, .argv = argv, .next = 1};
    return parse_arguments(&parser) && settle(&parser);
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

void options_help(Buffer *out) {
    buffer_text(out, "tmlc compiles TML, a language of fixed-size tensors, to native code.\n\n"
                     "  tmlc FILE -o OUTPUT        an executable, or what OUTPUT's suffix says\n"
                     "  tmlc check FILE...         look for errors only\n"
                     "  tmlc run FILE [-- ARGS]    compile in memory and run\n"
                     "  tmlc shape QUERY           how types combine: 'tensor<int, 3, 1> + int'\n"
                     "  tmlc --explain CODE        what a message means\n\nOptions:\n");
    for (int id = 0; id < OPTION_COUNT; id++) {
        const OptionRow *row = &option_rows[id];
        if (row->help[0] == '\0') {
            continue;
        }
        char left[80];
        const char *join = row->form == FORM_VALUE || row->form == FORM_CHOICE ? "="
                           : row->form == FORM_LETTER                          ? " "
                                                                               : "";
        snprintf(left, sizeof(left), "%s%s%s", row->spelling, join, row->argument);
        help_row(out, left, row->help);
    }
    buffer_text(out, "\nKinds of output:\n");
    for (int kind = 0; kind < EMIT_KIND_COUNT; kind++) {
        help_row(out, emit_name((EmitKind)kind), emit_help((EmitKind)kind));
    }
    buffer_text(out, "\nWarnings, all of them off by default:\n");
    for (size_t i = 0; i < warning_count(); i++) {
        help_row(out, warning_name(i), warning_help(i));
    }
    buffer_text(out,
                "\nExit status: 0, 1 errors in the program, 2 wrong usage, 3 files or linker,\n"
                "70 a bug in the compiler; 101 a program run by `run` trapped.\n");
}
