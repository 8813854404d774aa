// The actions on golden files, in processes of their own.
#include "tests/golden/golden_action.h"

#include "driver/code.h"
#include "driver/compile.h"
#include "driver/emit.h"
#include "driver/options.h"
#include "support/bug.h"
#include "tests/golden/golden_oracle.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TIME_LIMIT_SECONDS = 30, WORD_LIMIT = 64 };

static const char *const action_texts[ACTION_COUNT] = {
    [ACTION_TOKENS] = "tokens",
    [ACTION_AST] = "ast",
    [ACTION_NOTES] = "notes",
    [ACTION_ERROR] = "error",
    [ACTION_WARNING] = "warning",
    [ACTION_ERRORS] = "errors",
    [ACTION_TIR_CHECKED] = "tir-checked",
    [ACTION_TIR] = "tir",
    [ACTION_PLAN] = "plan",
    [ACTION_REF_CHECKED] = "evaluated as checked",
    [ACTION_REF_PASSES] = "evaluated after the passes",
    [ACTION_JIT_O0] = "run -O0",
    [ACTION_JIT_O2] = "run -O2",
    [ACTION_LINKED] = "executable",
};

const char *action_text(Action action) {
    return action_texts[action];
}

bool action_runs(Action action) {
    return action >= ACTION_REF_CHECKED;
}

bool action_links(Action action) {
    return action == ACTION_LINKED;
}

// Splits at spaces into words[first...], keeping room for a NULL. Returns how many there are then.
static int split_words(Arena *arena, char **words, int first, const char *text) {
    int count = first;
    char *copy = text ? arena_copy_text(arena, text, strlen(text)) : NULL;
    for (char *word = copy ? strtok(copy, " ") : NULL; word; word = strtok(NULL, " ")) {
        CHECK(count < WORD_LIMIT - 1);
        words[count++] = word;
    }
    words[count] = NULL;
    return count;
}

static CompileStage stage_of(Action action) {
    switch (action) {
    case ACTION_TOKENS: return STAGE_READ;
    case ACTION_AST: return STAGE_PARSE;
    case ACTION_NOTES:
    case ACTION_ERROR:
    case ACTION_WARNING:
    case ACTION_ERRORS:
    case ACTION_TIR_CHECKED:
    case ACTION_REF_CHECKED: return STAGE_CHECK;
    case ACTION_TIR:
    case ACTION_PLAN:
    case ACTION_REF_PASSES: return STAGE_PASSES;
    case ACTION_JIT_O0:
    case ACTION_JIT_O2:
    case ACTION_LINKED: return STAGE_CODEGEN;
    case ACTION_COUNT: break;
    }
    UNREACHABLE();
}

static CompileOptions compile_options(Action action, const GoldenFile *file, const char *cpu,
                                      Arena *arena) {
    char *words[WORD_LIMIT] = {"tmlc", "check", NULL};
    int count = split_words(arena, words, 2, file->sections[SECTION_ARGS]);
    CHECK(count < WORD_LIMIT - 2);
    if (cpu) {
        words[count++] = arena_format(arena, "--cpu=%s", cpu);
    }
    words[count++] = (char *)file->path;
    Options options;
    Buffer error = {0};
    if (!options_parse(&options, arena, count, words, &error)) {
        BUG("`#! args` of %s: %s", file->path, error.data);
    }
    options.compile.stage = stage_of(action);
    options.compile.executable = action_runs(action);
    options.compile.notes = action == ACTION_NOTES;
    if (action > ACTION_ERRORS) {
        bool runs_tests = action_runs(action) && file->sections[SECTION_TESTS];
        options.compile.tests = runs_tests ? TESTS_RUN : TESTS_LEFT_OUT;
        options.compile.executable = options.compile.executable && !runs_tests;
    }
    options.compile.debug_signals |= action_runs(action);
    options.compile.verify_tir = true;
    options.compile.front.warnings.are_off = action_runs(action);
    if (action == ACTION_JIT_O0) {
        options.compile.codegen.opt_level = 0;
    }
    return options.compile;
}

static void print_kind(Compilation *compilation, EmitKind kind) {
    Buffer text = {0};
    (void)emit_kind(compilation, kind, &text);
    fwrite(text.data, 1, text.len, stdout);
    buffer_free(&text);
}

static void print_messages(const Compilation *compilation) {
    Buffer text = {0};
    compile_messages(compilation, (RenderOptions){RENDER_HUMAN, false}, &text);
    fwrite(text.data, 1, text.len, stderr);
    buffer_free(&text);
    if (compilation->error) {
        fprintf(stderr, "tmlc: error: %s\n", compilation->error);
    }
}

static int compare_diags(const void *a, const void *b) {
    Span left = (*(Diag *const *)a)->span;
    Span right = (*(Diag *const *)b)->span;
    int by_start = (left.start > right.start) - (left.start < right.start);
    return by_start != 0 ? by_start : (left.end > right.end) - (left.end < right.end);
}

static unsigned count_characters(Slice text) {
    unsigned count = 0;
    for (size_t i = 0; i < text.len; i++) {
        bool continues = ((unsigned char)text.data[i] & 0xC0) == 0x80;
        count += !continues;
    }
    return count;
}

// Prints a line `E0501 3:7+2 words of the message` per error, or `unused 3:7+2 ...` per warning, in
// order of place.
static void print_lines(const Compilation *compilation, DiagSeverity severity) {
    const SourceMap *sources = compilation->context->sources;
    const DiagList *diags = compilation->context->diags;
    qsort(diags->all.items, diags->all.count, sizeof(Diag *), compare_diags);
    for (size_t i = 0; i < diags->all.count; i++) {
        const Diag *diag = diags->all.items[i];
        SourcePlace place = sources_place(sources, diag->span.start);
        if (diag->severity == severity) {
            const char *name = severity == SEVERITY_ERROR ? diag_row(diag->code)->text
                                                          : warning_row(diag->warning)->name;
            printf("%s %u:%u+%u %s\n", name, place.line, source_character(place),
                   count_characters(sources_text(sources, diag->span)), diag->message);
        }
    }
}

static int run_oracle(const Compilation *compilation, const GoldenFile *file) {
    char *words[WORD_LIMIT] = {(char *)file->path, NULL};
    Arena *arena = compilation->context->arena;
    int count = split_words(arena, words, 1, file->sections[SECTION_RUN_ARGS]);
    return oracle_run(compilation->context, compilation->program, count, words);
}

static int run_jit(Compilation *compilation, const GoldenFile *file) {
    char *words[WORD_LIMIT] = {(char *)file->path, NULL};
    Arena *arena = compilation->context->arena;
    int count = split_words(arena, words, 1, file->sections[SECTION_RUN_ARGS]);
    CodegenModule *module = compilation->module;
    compilation->module = NULL;
    int status = EXIT_OK;
    return codegen_run(module, count, words, &status, &compilation->error) ? status : EXIT_WORLD;
}

// A test that was decided when it was checked has nothing that runs; says so, and how it ended.
static bool was_decided(const TirTest *test) {
    if (test->function == NULL) {
        printf("%s: %s\n", test->name->text, test->failure == NULL ? "passed" : "failed");
        fflush(stdout);
    }
    return test->function == NULL;
}

// How a test ended: `name: passed` or `name: 1004`, behind what it printed.
static void print_test(const TirTest *test, int status) {
    if (status == 0) {
        printf("%s: passed\n", test->name->text);
    } else {
        printf("%s: %d\n", test->name->text, status);
    }
    fflush(stdout);
}

static int evaluate_tests(const TirProgram *program) {
    for (size_t i = 0; i < program->tests.count; i++) {
        const TirTest *test = program->tests.items[i];
        RefFault fault = {0};
        if (!was_decided(test)) {
            bool passed = ref_eval_test(program, test, STDOUT_FILENO, &fault);
            print_test(test, passed ? 0 : fault.code);
        }
    }
    return EXIT_OK;
}

static void run_tests(const CodegenTests *tests, void *data) {
    const TirProgram *program = data;
    int errors = dup(STDERR_FILENO);
    int nothing = open("/dev/null", O_WRONLY); // the evaluator does not tell where a test traps
    CHECK(errors >= 0 && nothing >= 0 && dup2(nothing, STDERR_FILENO) >= 0);
    for (size_t i = 0; i < program->tests.count; i++) {
        if (!was_decided(program->tests.items[i])) {
            print_test(program->tests.items[i], codegen_run_test(tests, i, "golden"));
        }
    }
    CHECK(dup2(errors, STDERR_FILENO) >= 0);
}

static int load_tests(Compilation *compilation) {
    CodegenModule *module = compilation->module;
    compilation->module = NULL;
    return codegen_load_tests(module, run_tests, compilation->program, &compilation->error)
               ? EXIT_OK
               : EXIT_WORLD;
}

// What the process of every action does that links nothing; the result is its exit status.
static int perform_here(Action action, const GoldenFile *file, const char *cpu) {
    Arena *arena = arena_create();
    CompileOptions options = compile_options(action, file, cpu, arena);
    Compilation compilation;
    int status =
        (int)compile_text(&compilation, file->path, file->text, file->program_len, &options);
    if (status == EXIT_OK) {
        status = (int)code_make(&compilation, &options);
    }
    if (action > ACTION_WARNING) {
        print_messages(&compilation);
    }
    switch (action) {
    case ACTION_TOKENS: print_kind(&compilation, EMIT_TOKENS); break;
    case ACTION_AST: print_kind(&compilation, EMIT_AST); break;
    case ACTION_NOTES: print_kind(&compilation, EMIT_NOTES); break;
    case ACTION_TIR_CHECKED:
    case ACTION_TIR:
    case ACTION_PLAN:
        if (compilation.program) {
            print_kind(&compilation, action == ACTION_PLAN ? EMIT_PLAN : EMIT_TIR);
        }
        break;
    case ACTION_REF_CHECKED:
    case ACTION_REF_PASSES:
        if (status == EXIT_OK) {
            compilation.program->math = codegen_math(compilation.context->arena, &options.codegen);
            status = file->sections[SECTION_TESTS] ? evaluate_tests(compilation.program)
                                                   : run_oracle(&compilation, file);
        }
        break;
    case ACTION_JIT_O0:
    case ACTION_JIT_O2:
        if (status == EXIT_OK) {
            status = file->sections[SECTION_TESTS] ? load_tests(&compilation)
                                                   : run_jit(&compilation, file);
        }
        break;
    case ACTION_ERROR: print_lines(&compilation, SEVERITY_ERROR); break;
    case ACTION_WARNING: print_lines(&compilation, SEVERITY_WARNING); break;
    case ACTION_ERRORS:
    case ACTION_LINKED:
    case ACTION_COUNT: break;
    }
    // These are about programs with errors, too.
    if (action <= ACTION_ERRORS) {
        status = EXIT_OK;
    }
    code_drop(&compilation);
    compilation_finish(&compilation);
    arena_destroy(arena);
    return fflush(stdout) == 0 ? status : EXIT_WORLD;
}

// Waits for a child and gives its status as a shell would.
static int wait_for(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        CHECK(errno == EINTR);
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

// Compiles with the command, runs what it made, and removes it.
static int perform_linked(const GoldenFile *file, const char *tmlc) {
    char folder[] = "/tmp/tmlc-golden-XXXXXX";
    CHECK(mkdtemp(folder));
    char program[sizeof(folder) + 8];
    snprintf(program, sizeof(program), "%s/program", folder);
    pid_t compiler = fork();
    if (compiler == 0) {
        char *words[WORD_LIMIT] = {(char *)tmlc, "-w", "-o", program, "--verify-tir"};
        int count = split_words(arena_create(), words, 5, file->sections[SECTION_ARGS]);
        words[count] = (char *)file->path;
        words[count + 1] = NULL;
        execv(tmlc, words);
        _exit(127);
    }
    int status = wait_for(compiler);
    if (status == 0) {
        pid_t child = fork();
        if (child == 0) {
            char *words[WORD_LIMIT] = {(char *)file->path, NULL};
            split_words(arena_create(), words, 1, file->sections[SECTION_RUN_ARGS]);
            alarm(TIME_LIMIT_SECONDS);
            execv(program, words);
            _exit(127);
        }
        status = wait_for(child);
        unlink(program);
    }
    rmdir(folder);
    return status;
}

// A file in memory, at its start.
static int memory_file(const char *text) {
    int fd = memfd_create("golden", 0);
    CHECK(fd >= 0);
    size_t len = text ? strlen(text) : 0;
    CHECK(len == 0 || write(fd, text, len) == (ssize_t)len);
    lseek(fd, 0, SEEK_SET);
    return fd;
}

static void read_all(int fd, Buffer *out) {
    lseek(fd, 0, SEEK_SET);
    char chunk[4096];
    ssize_t len = 0;
    buffer_text(out, "");
    while ((len = read(fd, chunk, sizeof(chunk))) > 0) {
        buffer_append(out, chunk, (size_t)len);
    }
    close(fd);
}

void action_perform(Action action, const GoldenFile *file, GoldenTools tools, Outcome *outcome) {
    int input = memory_file(file->sections[SECTION_INPUT]);
    int output = memory_file(NULL);
    int errors = memory_file(NULL);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        dup2(input, STDIN_FILENO);
        dup2(output, STDOUT_FILENO);
        dup2(errors, STDERR_FILENO);
        alarm(TIME_LIMIT_SECONDS);
        exit(action_links(action) ? perform_linked(file, tools.tmlc)
                                  : perform_here(action, file, tools.cpu));
    }
    outcome->exit_status = wait_for(child);
    read_all(output, &outcome->output);
    read_all(errors, &outcome->errors);
    close(input);
}

void outcome_free(Outcome *outcome) {
    buffer_free(&outcome->output);
    buffer_free(&outcome->errors);
}
