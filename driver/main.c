// The command `tmlc`: options, the pipeline for each input, and what is printed: texts to standard
// output, messages to standard error. It works in a thread with a large stack, and ignores the
// signals of closed pipes and full files, so that these are writes that fail. Messages are shown
// before outputs are written, because nothing may fail once outputs are new. The exit status is the
// worst of all inputs.
#include "codegen/target/target_name.h"
#include "driver/code.h"
#include "driver/compile.h"
#include "driver/documents.h"
#include "driver/emit.h"
#include "driver/format.h"
#include "driver/front_options.h"
#include "driver/new.h"
#include "driver/options.h"
#include "driver/output.h"
#include "driver/repl/repl.h"
#include "driver/sarif.h"
#include "driver/shape_query.h"
#include "driver/test/test.h"
#include "driver/type_listing.h"
#include "lsp/lsp.h"
#include "support/bug.h"
#include "support/json.h"
#include "support/memory.h"
#include "support/stack.h"

#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void show_error(const char *text) {
    fprintf(stderr, "tmlc: error: %s\n", text);
}

static RenderOptions render_options(const Options *options) {
    bool color = options->color == COLOR_ALWAYS;
    if (options->color == COLOR_AUTO) {
        const char *no_color = getenv("NO_COLOR");
        const char *term = getenv("TERM");
        color =
            (!no_color || !*no_color) && term && strcmp(term, "dumb") != 0 && isatty(STDERR_FILENO);
    }
    return (RenderOptions){options->format, color && options->format != RENDER_JSON};
}

// `log` takes the messages of COMMAND_CHECK with --diagnostics=sarif; else it is NULL.
static void show_messages(const Compilation *compilation, const Options *options, SarifLog *log) {
    if (log != NULL) {
        sarif_add(log, compilation->context);
        return;
    }
    Buffer text = {0};
    compile_messages(compilation, render_options(options), &text);
    compile_remarks(compilation, &text);
    if (text.len > 0) {
        fwrite(text.data, 1, text.len, stderr);
    }
    buffer_free(&text);
}

static void show_times(const Compilation *compilation) {
    double total = 0;
    for (int phase = 0; phase < PHASE_COUNT; phase++) {
        double seconds = compilation->seconds[phase];
        total += seconds;
        if (seconds > 0) {
            fprintf(stderr, "%-8s %9.3f ms\n", phase_text((Phase)phase), seconds * 1e3);
        }
    }
    fprintf(stderr, "%-8s %9.3f ms\n", "total", total * 1e3);
}

// Prints a text, which is freed, and says what failed.
static ExitStatus print_text(Buffer *text) {
    const char *error = NULL;
    ExitStatus status = output_print(text->data, text->len, &error);
    if (error != NULL) {
        show_error(error);
    }
    buffer_free(text);
    return status;
}

// Prints what the file needs and holds it against the budget.
static int show_report(Compilation *compilation, const Options *options) {
    if (options->report == REPORT_NONE && options->budget.figures == 0) {
        return EXIT_OK;
    }
    const Report *report = emit_report(compilation);
    if (report == NULL) {
        return EXIT_WORLD;
    }
    Buffer text = {0};
    if (options->report == REPORT_TEXT) {
        report_print(report, "", &text);
    } else if (options->report == REPORT_JSON) {
        json_finish(report_json(report), &text);
    }
    int status = (int)print_text(&text);
    DiagList *diags = compilation->context->diags;
    const char *path = compilation->source->path;
    report_check(report, &options->budget, path, diags);
    if ((options->budget.figures & ~(1U << BUDGET_ROM)) != 0 && !report->has_structs) {
        fprintf(
            stderr,
            "%s: note: `ram` and `stack` of `--budget` are of no use: no host calls a program\n",
            path);
    }
    return status == EXIT_OK && diags->error_count > 0 ? EXIT_ERRORS : status;
}

// Runs the module in memory. The result is the program's own exit status.
static int run_module(Compilation *compilation, const Options *options) {
    Arena *arena = compilation->context->arena;
    TextList words = {0};
    LIST_PUSH(arena, &words, options->inputs.items[0]);
    if (options->command == COMMAND_LINEARIZE) {
        LIST_PUSH(arena, &words, "--linearize");
        LIST_PUSH(arena, &words, options->output == NULL ? "-" : options->output);
    }
    for (size_t i = 0; i < options->run_args.count; i++) {
        LIST_PUSH(arena, &words, options->run_args.items[i]);
    }
    size_t count = words.count;
    char **argv = ARENA_ARRAY(arena, char *, count + 1);
    for (size_t i = 0; i < count; i++) {
        argv[i] = arena_copy_text(arena, words.items[i], strlen(words.items[i]));
    }
    CodegenModule *module = compilation->module;
    compilation->module = NULL; // codegen_run consumes it
    double start = clock_seconds();
    int status = EXIT_OK;
    if (!codegen_run(module, (int)count, argv, &status, &compilation->error)) {
        status = EXIT_WORLD;
    }
    compilation->seconds[PHASE_RUN] = clock_seconds() - start;
    return status;
}

static int print_listing(const Compilation *compilation, const Options *options) {
    Buffer text = {0};
    if (options->inputs.count > 1) {
        buffer_format(&text, "%s:\n", compilation->source->path);
    }
    type_listing_print(compilation, &text);
    return (int)print_text(&text);
}

// Compiles one file and does with it what the command says.
static int compile_input(const Options *options, const char *path, SarifLog *log) {
    Compilation compilation;
    int status = (int)compile_file(&compilation, path, &options->compile);
    if (status == EXIT_OK) {
        status = (int)code_make(&compilation, &options->compile);
    }
    if (status == EXIT_OK) {
        status = show_report(&compilation, options);
    }
    if (options->types && (status == EXIT_OK || compilation.notes.names.count > 0)) {
        int printed = print_listing(&compilation, options);
        status = printed == EXIT_OK ? status : printed;
    }
    const char *apart = compilation.module != NULL ? codegen_apart(compilation.module) : NULL;
    if (apart != NULL) {
        fprintf(stderr, "%s: note: `--batch` is of no use, runs are made one by one: %s\n", path,
                apart);
    }
    // Nothing may want memory after the outputs: they are new only where all goes well.
    show_messages(&compilation, options, log);
    if (status == EXIT_OK && options->command == COMMAND_COMPILE) {
        status = (int)output_write(&compilation, options);
    }
    if (status == EXIT_OK && command_runs(options->command)) {
        status = run_module(&compilation, options);
    }
    if (compilation.error) {
        show_error(compilation.error);
    }
    if (options->time) {
        show_times(&compilation);
    }
    code_drop(&compilation);
    compilation_finish(&compilation);
    return status;
}

static int print_interface(const Options *options, const char *path, SarifLog *log) {
    (void)log;
    Compilation compilation;
    int status = (int)compile_file(&compilation, path, &options->compile);
    show_messages(&compilation, options, NULL);
    if (compilation.error) {
        show_error(compilation.error);
    }
    if (status == EXIT_OK) {
        status = (int)print_text(&compilation.interface);
    }
    compilation_finish(&compilation);
    return status;
}

// Does `work` with each input and its options.
static int each_input(const Options *given, SarifLog *log,
                      int (*work)(const Options *options, const char *path, SarifLog *log)) {
    int worst = EXIT_OK;
    for (size_t i = 0; i < given->inputs.count; i++) {
        const char *path = given->inputs.items[i];
        Arena *arena = arena_create();
        Buffer error = {0};
        Options options;
        int status = EXIT_USAGE;
        if (options_of_input(&options, given, arena, path, &error)) {
            status = work(&options, path, log);
        } else {
            show_error(error.data);
        }
        worst = status > worst ? status : worst;
        buffer_free(&error);
        arena_destroy(arena);
    }
    return worst;
}

static int compile_inputs(const Options *options) {
    Arena *arena = arena_create();
    SarifLog *log = options->format == RENDER_SARIF ? sarif_create(arena) : NULL;
    int worst = each_input(options, log, compile_input);
    if (log != NULL) {
        Buffer text = {0};
        sarif_finish(log, &text);
        int printed = (int)print_text(&text);
        worst = printed > worst ? printed : worst;
    }
    arena_destroy(arena);
    return worst;
}

static int make_project(const Options *options) {
    Buffer text = {0};
    ExitStatus status = new_project(options->inputs.items[0], &text);
    if (status == EXIT_OK) {
        return (int)print_text(&text);
    }
    show_error(text.data);
    buffer_free(&text);
    return (int)status;
}

static int answer_shape(const Options *options) {
    Compilation compilation;
    Buffer text = {0};
    int status = (int)shape_query(&compilation, options->inputs.items[0], &options->compile, &text);
    if (status == EXIT_OK) {
        status = (int)code_make(&compilation, &options->compile);
    }
    if (status == EXIT_OK) {
        status = (int)print_text(&text);
    }
    buffer_free(&text);
    show_messages(&compilation, options, NULL);
    if (compilation.error) {
        show_error(compilation.error);
    }
    compilation_finish(&compilation);
    return status;
}

static int print_cpus(const Options *options) {
    Buffer text = {0};
    Arena *arena = arena_create();
    const char *error = NULL;
    int status = EXIT_USAGE;
    if (codegen_print_cpus(arena, &options->compile.codegen, &text, &error)) {
        status = (int)print_text(&text);
    } else {
        show_error(error);
    }
    arena_destroy(arena);
    return status;
}

static int serve_editor(const Options *options) {
    Arena *arena = arena_create();
    LspSettings settings = {
        .options = options->compile.front,
        .read_options = front_options_read,
        .load = front_load,
        .read_project = options->no_project ? NULL : front_project_read,
        .log = options->log,
        .documents = documents_folder(arena),
        .version = TMLC_VERSION,
    };
    int status = lsp_serve(&settings, STDIN_FILENO, STDOUT_FILENO);
    arena_destroy(arena);
    return status;
}

static int run_command(const Options *options) {
    Buffer text = {0};
    switch (options->command) {
    case COMMAND_COMPILE:
    case COMMAND_CHECK:
    case COMMAND_RUN:
    case COMMAND_LINEARIZE: return compile_inputs(options);
    case COMMAND_SHAPE: return answer_shape(options);
    case COMMAND_INTERFACE: return each_input(options, NULL, print_interface);
    case COMMAND_NEW: return make_project(options);
    case COMMAND_FORMAT: return (int)format_inputs(options, render_options(options));
    case COMMAND_LSP: return serve_editor(options);
    case COMMAND_REPL: return (int)repl_run(options, render_options(options));
    case COMMAND_TEST: return (int)test_inputs(options, render_options(options));
    case COMMAND_EXPLAIN:
        if (!options_explain(options->explain, &text)) {
            show_error(text.data);
            buffer_free(&text);
            return EXIT_USAGE;
        }
        break;
    case COMMAND_COMPLETIONS: options_completions(options->shell, &text); break;
    case COMMAND_TARGETS: target_print_names(&text); break;
    case COMMAND_CPUS: return print_cpus(options);
    case COMMAND_VERSION: buffer_text(&text, "tmlc " TMLC_VERSION "\n"); break;
    case COMMAND_HELP: options_help(options->helped, &text); break;
    case COMMAND_COUNT:
    case COMMAND_READING:
    case COMMAND_MAKING:
    case COMMAND_WRITING: UNREACHABLE();
    }
    return (int)print_text(&text);
}

// Jansson itself tells a lack of memory like a text that is no UTF-8.
static void *allocate_json(size_t bytes) {
    return memory_resize(NULL, bytes);
}

typedef struct Invocation {
    int argc;
    char **argv;
    int status;
} Invocation;

static void run_invocation(void *data) {
    Invocation *invocation = data;
    stack_watch();
    Arena *arena = arena_create();
    Options options;
    Buffer error = {0};
    if (options_parse(&options, arena, invocation->argc, invocation->argv, &error)) {
        invocation->status = run_command(&options);
    } else {
        fprintf(stderr, "tmlc: error: %s\ntry `tmlc --help`\n", error.data);
    }
    buffer_free(&error);
    arena_destroy(arena);
}

int main(int argc, char **argv) {
    signal(SIGPIPE, SIG_IGN); // a closed pipe is a write that fails,
    signal(SIGXFSZ, SIG_IGN); // and so is a file at its greatest size, in other programs too
    json_set_alloc_funcs(allocate_json, free);
    Invocation invocation = {argc, argv, EXIT_USAGE};
    stack_run(run_invocation, &invocation);
    return invocation.status;
}
