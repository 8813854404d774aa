// The command line: every option is a row of options.def, found by its spelling and applied by one
// switch. What follows from several options together is settled at the end (option_settle.c).
#include "driver/options.h"

#include "codegen/unit/layout.h"
#include "sema/warn/shown.h"
#include "support/bug.h"
#include "support/intern.h"
#include "support/suggest.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct Parser {
    Options *options;
    Arena *arena;
    Buffer *error;
    int argc;
    char **argv;
    int next;         // index in argv of the argument to read
    bool command_set; // a command word was seen, or an input that shows there is none
} Parser;

static bool fail_suggesting(Parser *parser, const char *nearest) {
    if (nearest) {
        buffer_format(parser->error, "; did you mean `%s`?", nearest);
    }
    return false;
}

static bool fail_unknown_option(Parser *parser, const char *argument) {
    Suggestion suggestion = suggestion_for(argument, strcspn(argument, "="));
    for (int id = 0; id < OPTION_COUNT; id++) {
        if (option_row((OptionId)id)->help[0] != '\0') {
            suggestion_try(&suggestion, option_row((OptionId)id)->spelling);
        }
    }
    buffer_format(parser->error, "unknown option `%s`", argument);
    return fail_suggesting(parser, suggestion.nearest);
}

// The position of `value` among the choices of an option, or -1 after an error.
static int choose(Parser *parser, OptionId id, const char *value) {
    const char *choices = option_row(id)->argument;
    int position = 0;
    for (const char *choice = choices; *choice; position++) {
        size_t len = strcspn(choice, "|");
        if (strlen(value) == len && memcmp(choice, value, len) == 0) {
            return position;
        }
        choice += len + (choice[len] == '|');
    }
    buffer_format(parser->error, "unknown value `%s` for `%s`; expected %s", value,
                  option_row(id)->spelling, choices);
    return -1;
}

// The number of a pass; -1 when there is none of the name.
static int find_pass(Parser *parser, Slice name) {
    Suggestion suggestion = suggestion_for(name.data, name.len);
    for (int pass = 0; pass < PASS_COUNT; pass++) {
        const char *known = pass_name((PassKind)pass);
        if (strlen(known) == name.len && memcmp(known, name.data, name.len) == 0) {
            return pass;
        }
        suggestion_try(&suggestion, known);
    }
    buffer_format(parser->error, "unknown pass `%.*s`", (int)name.len, name.data);
    fail_suggesting(parser, suggestion.nearest);
    return -1;
}

static bool leave_out_pass(Parser *parser, const char *name) {
    int pass = find_pass(parser, (Slice){name, strlen(name)});
    if (pass >= 0 && pass_is_needed((PassKind)pass)) {
        buffer_format(parser->error, "code cannot be made without the pass `%s`", name);
        return false;
    }
    if (pass >= 0) {
        CompileOptions *compile = &parser->options->compile;
        compile->passes.left_out |= 1U << pass;
        compile->codegen.left_out = compile->passes.left_out;
    }
    return pass >= 0;
}

// `tir:NAME` is TIR after the pass NAME.
static bool add_tir_after(Parser *parser, Slice name) {
    int pass = find_pass(parser, name);
    parser->options->emits |= 1U << EMIT_TIR;
    parser->options->compile.passes.last = (unsigned)pass + 1;
    return pass >= 0;
}

static bool add_emit_kind(Parser *parser, Slice name) {
    static const char after[] = "tir:";
    if (name.len > strlen(after) && memcmp(name.data, after, strlen(after)) == 0) {
        return add_tir_after(parser, (Slice){name.data + strlen(after), name.len - strlen(after)});
    }
    Suggestion suggestion = suggestion_for(name.data, name.len);
    for (int kind = 0; kind < EMIT_KIND_COUNT; kind++) {
        const char *known = emit_row((EmitKind)kind)->name;
        if (strlen(known) == name.len && memcmp(known, name.data, name.len) == 0) {
            parser->options->emits |= 1U << kind;
            return true;
        }
        suggestion_try(&suggestion, known);
    }
    buffer_format(parser->error, "unknown output kind `%.*s`", (int)name.len, name.data);
    return fail_suggesting(parser, suggestion.nearest);
}

static bool add_emit_kinds(Parser *parser, const char *list) {
    size_t len = strcspn(list, ",");
    return add_emit_kind(parser, (Slice){list, len}) &&
           (list[len] == '\0' || add_emit_kinds(parser, list + len + 1));
}

// The warning that `name` ends in, behind `prefix` of -W; below 0, with the error, when it is none.
static int find_warning(Parser *parser, const char *prefix, const char *name) {
    const char *nearest = NULL;
    int found = warning_find(name, strlen(name), &nearest);
    if (found < 0) {
        buffer_format(parser->error, "unknown warning `-W%s%s`", prefix, name);
        if (nearest) {
            nearest = arena_format(parser->arena, "-W%s%s", prefix, nearest);
        }
        fail_suggesting(parser, nearest);
    }
    return found;
}

// -Werror, -Werror=NAME, and both after `no-`.
static bool set_error(Parser *parser, const char *name, bool is_error) {
    CompileOptions *compile = &parser->options->compile;
    if (name[0] == '\0') {
        compile->front.warnings.are_errors = is_error;
        return true;
    }
    int found = find_warning(parser, is_error ? "error=" : "no-error=", name);
    if (found >= 0) {
        warnings_make_error(&compile->front.warnings, found, is_error);
    }
    return found >= 0;
}

static bool set_warning(Parser *parser, const char *name) {
    static const char no_error[] = "no-error";
    size_t len = strlen(no_error);
    if (text_begins_with(name, no_error) && (name[len] == '\0' || name[len] == '=')) {
        return set_error(parser, name + len + (name[len] == '='), false);
    }
    bool is_on = !text_begins_with(name, "no-");
    const char *prefix = is_on ? "" : "no-";
    int found = find_warning(parser, prefix, name + strlen(prefix));
    if (found >= 0) {
        warnings_choose(&parser->options->compile.front.warnings, found, is_on);
    }
    return found >= 0;
}

// `NAME=VALUE` or, for --with, `NAME`; the name is in a namespace (L10.1).
static bool add_interface_text(Parser *parser, OptionId id, const char *value) {
    CompileOptions *compile = &parser->options->compile;
    bool wants_value = id == OPTION_DEFINE;
    size_t len = strcspn(value, "=");
    bool in_namespace = wants_value ? text_begins_with(value, "p.") || text_begins_with(value, "n.")
                                    : text_begins_with(value, "t.");
    if (!in_namespace || len <= 2 || (value[len] == '=') != wants_value) {
        buffer_format(parser->error, "`%s` takes %s, not `%s`", option_row(id)->spelling,
                      wants_value ? "p.NAME=VALUE or n.NAME=VALUE" : "t.NAME", value);
        return false;
    }
    TextList *texts = wants_value ? &compile->front.definitions : &compile->front.connections;
    LIST_PUSH(parser->arena, texts, value);
    return true;
}

static bool set_report(Parser *parser, const char *value) {
    if (value[0] != '\0' && strcmp(value, "json") != 0) {
        buffer_format(parser->error, "unknown value `%s` for `--report`; expected json", value);
        return false;
    }
    parser->options->report = value[0] == '\0' ? REPORT_TEXT : REPORT_JSON;
    return true;
}

static bool set_budget(Parser *parser, const char *value) {
    const char *wrong = NULL;
    if (report_budget_parse(&parser->options->budget, value, &wrong)) {
        return true;
    }
    buffer_format(parser->error, "`--budget` takes figures like ram=8k,stack=512,rom=32k, not `%s`",
                  wrong);
    return false;
}

static bool set_level(Parser *parser, const char *value) {
    CodegenOptions *codegen = &parser->options->compile.codegen;
    const char *small = value[0] == '\0' ? NULL : strchr("sz", value[0]);
    bool is_digit = value[0] >= '0' && value[0] <= '3';
    if ((!is_digit && small == NULL) || value[1] != '\0') {
        buffer_format(parser->error,
                      "unknown optimisation level `-O%s`; expected -O0 to -O3, -Os or -Oz", value);
        return false;
    }
    parser->options->has_level = true;
    codegen->opt_level = is_digit ? (unsigned)(value[0] - '0') : 2;
    codegen->size = is_digit ? SIZE_ANY : *small == 's' ? SIZE_SMALL : SIZE_LEAST;
    return true;
}

// `tml` would give the table of a model the name of its type.
static bool set_prefix(Parser *parser, const char *name) {
    if (!layout_is_name(name) || strcmp(name, "tml") == 0) {
        buffer_format(parser->error, "`--prefix` takes a name in C%s, not `%s`",
                      layout_is_name(name) ? " other than that of the runtime" : "", name);
        return false;
    }
    parser->options->compile.codegen.prefix = name;
    return true;
}

static void set_rank_promotion(Parser *parser, int choice) {
    enum { ALLOW, WARN, ERROR };
    CompileOptions *compile = &parser->options->compile;
    compile->front.warnings.of[WARNING_RANK_PROMOTION].is_on = choice == WARN;
    compile->front.exact_rank = choice == ERROR;
}

static bool set_number(Parser *parser, OptionId id, const char *value, double least, double most,
                       double *number) {
    char *end = NULL;
    errno = 0;
    *number = strtod(value, &end);
    if (end != value && *end == '\0' && errno == 0 && *number >= least && *number <= most) {
        return true;
    }
    buffer_format(parser->error, "`%s` takes a number from %g to %g, not `%s`",
                  option_row(id)->spelling, least, most, value);
    return false;
}

static bool set_test(Parser *parser, OptionId id, const char *value, int choice) {
    enum { JOBS_LIMIT = 1024, SECONDS_LIMIT = 86400 };
    TestOptions *test = &parser->options->test;
    double number = 0;
    test->is_given = true;
    switch (id) {
    case OPTION_TEST_FILTER: test->filter = value; return true;
    case OPTION_TEST_LIST: test->lists = true; return true;
    case OPTION_TEST_FORMAT: test->format = (TestFormat)choice; return true;
    case OPTION_TEST_OUT: test->out = value; return true;
    case OPTION_TEST_ALL_LEVELS: test->all_levels = true; return true;
    case OPTION_TEST_JOBS:
        if (!set_number(parser, id, value, 1, JOBS_LIMIT, &number)) {
            return false;
        }
        test->jobs = (size_t)number;
        return true;
    case OPTION_TEST_SEED:
        if (!set_number(parser, id, value, 0, UINT32_MAX, &number)) {
            return false;
        }
        test->seed = (uint64_t)number;
        return true;
    default: return set_number(parser, id, value, 0.001, SECONDS_LIMIT, &test->timeout);
    }
}

static bool apply(Parser *parser, OptionId id, const char *value) {
    Options *options = parser->options;
    int choice = option_row(id)->form == FORM_CHOICE ? choose(parser, id, value) : 0;
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
    case OPTION_REAL: options->compile.front.single = choice == 1; return true;
    case OPTION_FP: options->compile.codegen.fp = (FpMode)(FP_STRICT + choice); return true;
    case OPTION_CHECKS: options->compile.codegen.checks = choice == 0; return true;
    case OPTION_RANK_PROMOTION: set_rank_promotion(parser, choice); return true;
    case OPTION_DIAGNOSTICS: options->format = (RenderFormat)choice; return true;
    case OPTION_COLOR: options->color = (ColorMode)choice; return true;
    case OPTION_REMARKS: options->compile.remarks = true; return true;
    case OPTION_NO_PASS: return leave_out_pass(parser, value);
    case OPTION_DEFINE:
    case OPTION_WITH: return add_interface_text(parser, id, value);
    case OPTION_INTERFACE:
        LIST_PUSH(parser->arena, &options->compile.front.interfaces, value);
        return true;
    case OPTION_DEBUG_SIGNALS: options->compile.debug_signals = true; return true;
    case OPTION_IO: options->compile.front.mmio = choice == 1; return true;
    case OPTION_NO_TABLE: options->compile.codegen.no_table = true; return true;
    case OPTION_PREFIX: return set_prefix(parser, value);
    case OPTION_NO_WARNINGS: options->compile.front.warnings.are_off = true; return true;
    case OPTION_WERROR: return set_error(parser, value, true);
    case OPTION_WARNING: return set_warning(parser, value);
    case OPTION_REPORT: return set_report(parser, value);
    case OPTION_BUDGET: return set_budget(parser, value);
    case OPTION_DEPENDENCIES: options->dependencies = true; return true;
    case OPTION_DEPENDENCY_FILE:
        options->dependencies = true;
        options->dependency_file = value;
        return true;
    case OPTION_TYPES: options->types = true; return true;
    case OPTION_FORMAT_CHECK: options->format_check = true; return true;
    case OPTION_FORMAT_DIFF: options->format_diff = true; return true;
    case OPTION_LOG: options->log = value; return true;
    case OPTION_TEST_FILTER:
    case OPTION_TEST_LIST:
    case OPTION_TEST_JOBS:
    case OPTION_TEST_FORMAT:
    case OPTION_TEST_OUT:
    case OPTION_TEST_ALL_LEVELS:
    case OPTION_TEST_SEED:
    case OPTION_TEST_TIMEOUT: return set_test(parser, id, value, choice);
    case OPTION_TIME: options->time = true; return true;
    case OPTION_VERBOSE: options->verbose = true; return true;
    case OPTION_SAVE_TEMPS: options->save_temps = true; return true;
    case OPTION_COMPLETIONS:
        options->command = COMMAND_COMPLETIONS;
        options->shell = value;
        return true;
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
    if (!text_begins_with(argument, row->spelling)) {
        return false;
    }
    const char *rest = argument + len;
    *value = *rest ? rest : NULL;
    switch (row->form) {
    case FORM_FLAG:
    case FORM_VALUE:
    case FORM_OPTIONAL:
    case FORM_CHOICE: *value = *rest == '=' ? rest + 1 : NULL; return *rest == '\0' || *rest == '=';
    case FORM_JOINED: *value = rest; return true;
    case FORM_LETTER: return true;
    }
    UNREACHABLE();
}

static bool parse_option(Parser *parser, const char *argument) {
    for (int id = 0; id < OPTION_COUNT; id++) {
        const OptionRow *row = option_row((OptionId)id);
        const char *value = NULL;
        if (!option_matches(row, argument, &value)) {
            continue;
        }
        if (row->form == FORM_FLAG && value) {
            buffer_format(parser->error, "option `%s` takes no value", row->spelling);
            return false;
        }
        if (row->form != FORM_FLAG && row->form != FORM_OPTIONAL && !value) {
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

// A folder is no input, whatever it is called.
static bool is_input(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && !S_ISDIR(status.st_mode);
}

// What is said here for a command of other compilers.
static const char *instead_of_command(const char *word) {
    static const struct {
        const char *word, *instead;
    } rows[] = {
        {"build", "tmlc FILE -o OUTPUT"},   {"compile", "tmlc FILE -o OUTPUT"},
        {"explain", "tmlc --explain CODE"}, {"help", "tmlc --help"},
        {"lint", "tmlc check -Wall FILE"},  {"version", "tmlc --version"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (strcmp(rows[i].word, word) == 0) {
            return rows[i].instead;
        }
    }
    return NULL;
}

// A command, or a word that is neither one nor a file.
static bool parse_command(Parser *parser, const char *word, bool *is_command) {
    Suggestion suggestion = suggestion_for(word, strlen(word));
    for (int id = 0; id < COMMAND_COUNT; id++) {
        const char *command = command_row((Command)id)->word;
        if (command[0] != '\0' && strcmp(word, command) == 0) {
            parser->options->command = (Command)id;
            *is_command = true;
            return true;
        }
        suggestion_try(&suggestion, command);
    }
    if (strpbrk(word, "./") || strcmp(word, "-") == 0 || is_input(word)) {
        return true;
    }
    const char *instead = instead_of_command(word);
    if (instead != NULL || suggestion.nearest != NULL) {
        buffer_format(parser->error, "unknown command `%s`", word);
        return fail_suggesting(parser, instead != NULL ? instead : suggestion.nearest);
    }
    buffer_format(parser->error, "`%s` is neither a command nor a file; the commands are", word);
    const char *between = " ";
    for (int id = 0; id < COMMAND_COUNT; id++) {
        if (command_row((Command)id)->word[0] != '\0') {
            buffer_format(parser->error, "%s%s", between, command_row((Command)id)->word);
            between = ", ";
        }
    }
    return false;
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
    const CommandRow *command = command_row(options->command);
    bool is_full = command->inputs == INPUTS_ONE && options->inputs.count > 0;
    if (is_full || command->inputs == INPUTS_NONE) {
        buffer_format(parser->error, "unexpected argument `%s`; %s", word, command->surplus);
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
        if (command_is_option(options->command)) {
            return true; // --help and its like settle everything
        }
    }
    return true;
}

bool options_parse(Options *options, Arena *arena, int argc, char **argv, Buffer *error) {
    *options = (Options){.compile = compile_defaults()};
    Parser parser = {
        .options = options, .arena = arena, .error = error, .argc = argc, .argv = argv, .next = 1};
    return parse_arguments(&parser) && options_settle(options, error);
}
