// The command line: every option is a row of options.def, found by its spelling and applied by one
// switch. What follows from several options together is settled at the end (option_settle.c).
#include "driver/options.h"

#include "codegen/unit/layout.h"
#include "driver/front_options.h"
#include "support/bug.h"
#include "support/intern.h"
#include "support/project.h"
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
    OptionWords words;
    bool command_set; // a command word was seen, or an input that shows there is none
} Parser;

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
    option_suggest(&parser->words, suggestion.nearest);
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
        compile->passes.left_out |= pass_bit((PassKind)pass);
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

// The kind whose files end with a dot and that; NULL: none does.
static const char *kind_with_suffix(Slice name) {
    for (int kind = 0; kind < EMIT_KIND_COUNT; kind++) {
        const EmitRow *row = emit_row((EmitKind)kind);
        if (strlen(row->suffix) == name.len + 1 && row->suffix[0] == '.' &&
            memcmp(row->suffix + 1, name.data, name.len) == 0) {
            return row->name;
        }
    }
    return NULL;
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
    const char *of_suffix = kind_with_suffix(name);
    if (of_suffix != NULL) {
        suggestion.nearest = of_suffix;
    }
    buffer_format(parser->error, "unknown output kind `%.*s`", (int)name.len, name.data);
    return option_suggest(&parser->words, suggestion.nearest);
}

static bool add_emit_kinds(Parser *parser, const char *list) {
    size_t len = strcspn(list, ",");
    return add_emit_kind(parser, (Slice){list, len}) &&
           (list[len] == '\0' || add_emit_kinds(parser, list + len + 1));
}

static bool set_report(Parser *parser, const char *value) {
    if (value[0] != '\0' && strcmp(value, "json") != 0) {
        buffer_format(parser->error, "unknown value `%s` for `--report`; expected json", value);
        return false;
    }
    parser->options->report = value[0] == '\0' ? REPORT_TEXT : REPORT_JSON;
    return true;
}

static bool set_batch(Parser *parser, const char *value) {
    static const char *const counts[] = {"2", "4", "8", "16"};
    unsigned *batch = &parser->options->compile.codegen.batch;
    *batch = value[0] == '\0' ? 8 : 0;
    for (unsigned i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        *batch = strcmp(value, counts[i]) == 0 ? 2U << i : *batch;
    }
    if (*batch == 0) {
        buffer_format(parser->error, "`--batch` is 2, 4, 8 or 16, not `%s`", value);
    }
    return *batch != 0;
}

static bool set_number(Parser *parser, OptionId id, const char *value, double least, double most,
                       double *number) {
    char *end = NULL;
    errno = 0;
    *number = strtod(value, &end);
    if (end != value && *end == '\0' && errno == 0 && *number >= least && *number <= most) {
        return true;
    }
    buffer_format(parser->error, "`%s` takes a number from %.10g to %.10g, not `%s`",
                  option_row(id)->spelling, least, most, value);
    return false;
}

static bool set_threads(Parser *parser, const char *value) {
    enum { THREADS_LIMIT = 256 };
    char *end = NULL;
    errno = 0;
    long threads = value[0] >= '0' && value[0] <= '9' ? strtol(value, &end, 10) : 0;
    if (end == NULL || *end != '\0' || errno != 0 || threads < 1 || threads > THREADS_LIMIT) {
        buffer_format(parser->error, "`--threads` takes a whole number from 1 to %d, not `%s`",
                      THREADS_LIMIT, value);
        return false;
    }
    parser->options->compile.codegen.threads = (unsigned)threads;
    return true;
}

static bool set_threads_from(Parser *parser, const char *value) {
    double cycles = 0;
    if (!set_number(parser, OPTION_THREADS_FROM, value, 1, INT32_MAX, &cycles)) {
        return false;
    }
    parser->options->compile.codegen.threads_from = (uint32_t)cycles;
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

static bool set_tape(Parser *parser, const char *value) {
    double bytes = 0;
    if (!set_number(parser, OPTION_TAPE, value, 1, INT32_MAX, &bytes)) {
        return false;
    }
    parser->options->compile.codegen.tape = (uint64_t)bytes;
    return true;
}

static bool set_test(Parser *parser, OptionId id, const char *value, int choice) {
    enum { JOBS_LIMIT = 1024, SECONDS_LIMIT = 86400 };
    TestOptions *test = &parser->options->test;
    double number = 0;
    switch (id) {
    case OPTION_TEST_FILTER: test->filter = value; return true;
    case OPTION_TEST_LIST: test->lists = true; return true;
    case OPTION_TEST_FORMAT: test->format = (TestFormat)choice; return true;
    case OPTION_TEST_OUT: test->out = value; return true;
    case OPTION_TEST_RUNNER: test->runner = value; return true;
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

static bool set_fmu(Parser *parser, OptionId id, const char *value, int choice) {
    const double least = 1e-12, most = 1e12;
    FmuOptions *fmu = &parser->options->fmu;
    fmu->is_given = true;
    switch (id) {
    case OPTION_FMI: fmu->version = choice == 0 ? 3 : 2; return true;
    case OPTION_FMI_LOCALS: fmu->no_locals = choice == 1; return true;
    case OPTION_SOURCES: fmu->sources = true; return true;
    case OPTION_ICON: fmu->icon = value; return true;
    default: return set_number(parser, id, value, least, most, &fmu->step);
    }
}

static bool apply(Parser *parser, const GivenOption *given) {
    Options *options = parser->options;
    const char *value = given->value;
    int choice = given->choice;
    options->given[given->id] = true;
    FrontAnswer answer = front_option_apply(&parser->words, given, &options->compile.front);
    if (answer != FRONT_OTHER) {
        return answer == FRONT_TAKEN;
    }
    switch (given->id) {
    case OPTION_OUTPUT: options->output = value; return true;
    case OPTION_OBJECT: options->emits |= 1U << EMIT_OBJECT; return true;
    case OPTION_EMIT: return add_emit_kinds(parser, value);
    case OPTION_LEVEL: return set_level(parser, value);
    case OPTION_DEBUG: options->compile.codegen.debug = true; return true;
    case OPTION_TARGET:
        options->compile.codegen.target = value;
        LIST_PUSH(parser->arena, &options->targets, ((TargetChoice){value, NULL}));
        return true;
    case OPTION_CPU: options->compile.codegen.cpu = value; return true;
    case OPTION_FP: options->compile.codegen.fp = (FpMode)(FP_STRICT + choice); return true;
    case OPTION_DERIVATIVE:
        options->compile.codegen.derivation = (TirDerivation)(DERIVATION_FORWARD + choice);
        return true;
    case OPTION_TAPE: return set_tape(parser, value);
    case OPTION_CHECKS: options->compile.codegen.checks = choice == 0; return true;
    case OPTION_DIAGNOSTICS: options->format = (RenderFormat)choice; return true;
    case OPTION_COLOR: options->color = (ColorMode)choice; return true;
    case OPTION_REMARKS: options->compile.remarks = true; return true;
    case OPTION_NO_PASS: return leave_out_pass(parser, value);
    case OPTION_DEBUG_SIGNALS: options->compile.debug_signals = true; return true;
    case OPTION_BATCH: return set_batch(parser, value);
    case OPTION_THREADS: return set_threads(parser, value);
    case OPTION_THREADS_FROM: return set_threads_from(parser, value);
    case OPTION_LINEARIZE: options->compile.linearize = true; return true;
    case OPTION_NO_TABLE: options->compile.codegen.no_table = true; return true;
    case OPTION_PREFIX: return set_prefix(parser, value);
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
    case OPTION_TEST_RUNNER:
    case OPTION_TEST_TIMEOUT: return set_test(parser, given->id, value, choice);
    case OPTION_FMI:
    case OPTION_STEP:
    case OPTION_FMI_LOCALS:
    case OPTION_SOURCES:
    case OPTION_ICON: return set_fmu(parser, given->id, value, choice);
    case OPTION_NO_PROJECT: options->no_project = true; return true;
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
    case OPTION_HELP_SHORT:
        options->helped = options->command == COMMAND_COMPILE ? COMMAND_ANY : options->command;
        options->command = COMMAND_HELP;
        return true;
    case OPTION_VERIFY_TIR: options->compile.verify_tir = true; return true;
    case OPTION_REAL:
    case OPTION_IO:
    case OPTION_RANK_PROMOTION:
    case OPTION_DEFINE:
    case OPTION_WITH:
    case OPTION_INTERFACE:
    case OPTION_NO_WARNINGS:
    case OPTION_WERROR:
    case OPTION_WARNING: // front_options.c
    case OPTION_COUNT: break;
    }
    UNREACHABLE();
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
        {"format", "tmlc fmt FILE"},        {"init", "tmlc new NAME"},
        {"simulate", "tmlc run FILE"},      {"execute", "tmlc run FILE"},
        {"doc", "tmlc --explain NAME"},     {"man", "tmlc --explain NAME"},
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
        return option_suggest(&parser->words, instead != NULL ? instead : suggestion.nearest);
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
    const char *suffix = strrchr(word, '.');
    if (is_full && options->command == COMMAND_RUN && suffix != NULL &&
        strcmp(suffix, ".csv") == 0) {
        buffer_format(parser->error, "unexpected argument `%s`; inputs are given as `-- --in %s`",
                      word, word);
        return false;
    }
    if (is_full || command->inputs == INPUTS_NONE) {
        buffer_format(parser->error, "unexpected argument `%s`; %s", word, command->surplus);
        return false;
    }
    LIST_PUSH(parser->arena, &options->inputs, word);
    return true;
}

static bool parse_option(Parser *parser) {
    GivenOption given = {0};
    return option_take(&parser->words, &given) && apply(parser, &given);
}

static bool parse_arguments(Parser *parser) {
    Options *options = parser->options;
    OptionWords *words = &parser->words;
    bool words_only = false;
    while (words->next < words->count) {
        const char *argument = words->items[words->next];
        if (!words_only && argument[0] == '-' && argument[1] != '\0' &&
            strcmp(argument, "--") != 0) {
            if (!parse_option(parser)) {
                return false;
            }
        } else {
            words->next++;
            if (words_only && command_runs(options->command)) {
                LIST_PUSH(parser->arena, &options->run_args, argument);
            } else if (!words_only && strcmp(argument, "--") == 0) {
                words_only = true;
            } else if (!parse_word(parser, argument)) {
                return false;
            }
        }
        if (command_is_option(options->command)) {
            return true; // --help and its like settle everything
        }
    }
    return true;
}

static bool use_shared(void *data, const GivenOption *given) {
    return apply(data, given);
}

// The options of a project stand before those of the command line.
static bool parse_project(Parser *parser, const Project *project, Buffer *error) {
    FrontOptions *front = &parser->options->compile.front;
    Buffer why = {0};
    parser->words = (OptionWords){.arena = parser->arena,
                                  .error = &why,
                                  .base = project->path,
                                  .items = project->options.items,
                                  .count = project->options.count};
    parser->error = &why;
    size_t wrong = 0;
    bool is_good = options_each_shared(&parser->words, use_shared, parser, &wrong);
    front->shared_definitions = front->definitions.count;
    front->shared_connections = front->connections.count;
    if (!is_good) {
        project_place(project, wrong, error);
        buffer_text(error, why.data);
    }
    buffer_free(&why);
    return is_good;
}

static bool parse(Options *options, const Project *project, Arena *arena, const TextList *arguments,
                  Buffer *error) {
    *options =
        (Options){.compile = compile_defaults(), .arguments = *arguments, .fmu = {.version = 3}};
    Parser parser = {.options = options, .arena = arena};
    if (project != NULL && !parse_project(&parser, project, error)) {
        return false;
    }
    parser.error = error;
    parser.words = (OptionWords){
        .arena = arena, .error = error, .items = arguments->items, .count = arguments->count};
    return parse_arguments(&parser) && options_settle(options, error);
}

bool options_parse(Options *options, Arena *arena, int argc, char **argv, Buffer *error) {
    TextList arguments = {0};
    for (int i = 1; i < argc; i++) {
        LIST_PUSH(arena, &arguments, argv[i]);
    }
    return parse(options, NULL, arena, &arguments, error);
}

bool options_of_input(Options *options, const Options *given, Arena *arena, const char *path,
                      Buffer *error) {
    Project project = {0};
    if (!given->no_project && !project_read(arena, path, &project, error)) {
        return false;
    }
    if (project.path == NULL) {
        *options = *given;
        return true;
    }
    if (!parse(options, &project, arena, &given->arguments, error)) {
        return false;
    }
    options->project = project.path;
    if (options->verbose) {
        fprintf(stderr, "options of %s:", project.path);
        for (size_t i = 0; i < project.options.count; i++) {
            fprintf(stderr, " %s", project.options.items[i]);
        }
        fputc('\n', stderr);
    }
    return true;
}
