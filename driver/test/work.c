// The process that has a file's tests. It compiles in memory, as `tmlc run` does, and tells what it
// does as it goes, so that whoever waits for it knows which test is at hand when it does not
// return.
#include "driver/code.h"
#include "driver/test/run.h"
#include "support/memory.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Worker {
    const TestRun *run;
    const Options *options;
    RenderOptions render;
    int pipe;
    Compilation compilation;
    size_t *order; // of tests
} Worker;

static void send_all(int pipe, const void *bytes, size_t count) {
    const char *at = bytes;
    while (count > 0) {
        ssize_t written = write(pipe, at, count);
        if (written < 0) {
            _exit(EXIT_WORLD); // nobody listens
        }
        at += written;
        count -= (size_t)written;
    }
}

static void send_record(const Worker *worker, Record record, const char *text, size_t len) {
    record.len = (uint32_t)len;
    send_all(worker->pipe, &record, sizeof record);
    send_all(worker->pipe, text, len);
}

char *test_take_printed(Arena *arena, FILE *printed) {
    int fd = fileno(printed);
    off_t len = lseek(fd, 0, SEEK_END);
    char *text = ARENA_ARRAY(arena, char, (size_t)len + 1);
    ssize_t got = pread(fd, text, (size_t)len, 0);
    text[got < 0 ? 0 : got] = '\0';
    if (ftruncate(fd, 0) != 0 || lseek(fd, 0, SEEK_SET) != 0) {
        text[0] = '\0'; // then what others print would follow it
    }
    return text;
}

// --- one test -----------------------------------------------------------------------------------

static bool is_wanted(const Worker *worker, const TirTest *test) {
    const char *filter = worker->options->test.filter;
    return filter == NULL || strstr(test->name->text, filter) != NULL;
}

// Why a test failed that was decided when it was checked.
static const char *render_failure(Worker *worker, const Diag *diag) {
    DiagList one = {.arena = worker->compilation.context->arena, .error_count = 1};
    Diag *kept = (Diag *)diag;
    LIST_PUSH(one.arena, &one.all, kept);
    Buffer text = {0};
    render_diags(&text, &one, worker->compilation.context->sources, worker->render);
    const char *copy = arena_copy_text(one.arena, text.data, text.len);
    buffer_free(&text);
    return copy;
}

static const char *run_test(Worker *worker, const TirTest *test, const CodegenTests *tests,
                            size_t number, const char **text) {
    Arena *arena = worker->compilation.context->arena;
    if (test->function == NULL) {
        *text = test->failure == NULL ? "" : render_failure(worker, test->failure);
        return test->failure == NULL ? NULL : test->failure->message;
    }
    int status = codegen_run_test(tests, number, worker->run->path);
    fflush(stderr);
    *text = test_take_printed(arena, worker->run->printed);
    if (status == test->trap) {
        return NULL;
    }
    return status == EXIT_OK      ? arena_format(arena, "it ends without trap E%d", test->trap)
           : status == EXIT_WORLD ? "a file or the system failed"
           : test->trap == 0      ? arena_format(arena, "trap E%d", status)
                                  : arena_format(arena, "trap E%d, not E%d", status, test->trap);
}

static void run_tests(const CodegenTests *tests, void *data) {
    Worker *worker = data;
    const TirProgram *program = worker->compilation.program;
    for (size_t i = worker->run->first; i < program->tests.count; i++) {
        size_t number = worker->order[i];
        const TirTest *test = program->tests.items[number];
        if (!is_wanted(worker, test)) {
            continue;
        }
        send_record(worker, (Record){.kind = RECORD_BEGIN, .number = (uint32_t)number}, "", 0);
        double start = clock_seconds();
        const char *text = "";
        const char *why = run_test(worker, test, tests, number, &text);
        Record end = {.kind = RECORD_END,
                      .number = (uint32_t)number,
                      .outcome = why == NULL ? TEST_PASSED : TEST_FAILED,
                      .seconds = clock_seconds() - start};
        Buffer both = {0};
        buffer_text(&both, why == NULL ? "" : why);
        buffer_append(&both, "", 1);
        buffer_text(&both, text);
        send_record(worker, end, both.data, both.len);
        buffer_free(&both);
    }
}

// --- all of them --------------------------------------------------------------------------------

static void tell_tests(Worker *worker) {
    const TirProgram *program = worker->compilation.program;
    for (size_t i = 0; i < program->tests.count; i++) {
        const TirTest *test = program->tests.items[i];
        SourcePlace place = sources_place(worker->compilation.context->sources, test->span.start);
        Record record = {.kind = RECORD_TEST,
                         .number = (uint32_t)i,
                         .line = place.line,
                         .column = source_character(place),
                         .outcome = is_wanted(worker, test) ? TEST_WAITING : TEST_LEFT_OUT};
        send_record(worker, record, test->name->text, test->name->len);
    }
}

// The tests in the order of the file, or one that the seed gives.
static size_t *order_tests(Arena *arena, size_t count, uint64_t seed) {
    size_t *order = ARENA_ARRAY(arena, size_t, count + 1);
    for (size_t i = 0; i < count; i++) {
        order[i] = i;
    }
    for (size_t i = count; seed != 0 && i > 1; i--) {
        seed = seed * 6364136223846793005U + 1442695040888963407U;
        size_t other = (size_t)((seed >> 33) % i);
        size_t kept = order[i - 1];
        order[i - 1] = order[other];
        order[other] = kept;
    }
    return order;
}

static void tell_messages(Worker *worker) {
    Buffer text = {0};
    compile_messages(&worker->compilation, worker->render, &text);
    if (worker->compilation.error != NULL) {
        buffer_format(&text, "tmlc: error: %s\n", worker->compilation.error);
    }
    send_record(worker, (Record){.kind = RECORD_MESSAGES}, text.data, text.len);
    buffer_free(&text);
}

_Noreturn void test_work(const TestRun *run, const Options *options, RenderOptions render,
                         int pipe) {
    Worker worker = {.run = run, .options = options, .render = render, .pipe = pipe};
    Compilation *compilation = &worker.compilation;
    Arena *arena = arena_create();
    Options own;
    Buffer error = {0};
    if (!options_of_input(&own, options, arena, run->path, &error)) {
        Buffer text = {0};
        buffer_format(&text, "tmlc: error: %s\n", error.data);
        send_record(&worker, (Record){.kind = RECORD_MESSAGES}, text.data, text.len);
        send_record(&worker, (Record){.kind = RECORD_COMPILED, .outcome = EXIT_USAGE}, "", 0);
        _exit(EXIT_OK);
    }
    CompileOptions compile = own.compile;
    compile.codegen.opt_level = run->level;
    compile.stage = options->test.lists ? STAGE_CHECK : STAGE_CODEGEN;
    ExitStatus status = compile_file(compilation, run->path, &compile);
    if (status == EXIT_OK) {
        status = code_make(compilation, &compile);
    }
    tell_messages(&worker);
    if (status == EXIT_OK) {
        tell_tests(&worker);
    }
    send_record(&worker, (Record){.kind = RECORD_COMPILED, .outcome = (uint32_t)status}, "", 0);
    if (status != EXIT_OK || options->test.lists) {
        _exit(EXIT_OK);
    }
    worker.order = order_tests(compilation->context->arena, compilation->program->tests.count,
                               options->test.seed);
    CodegenModule *module = compilation->module;
    compilation->module = NULL; // codegen_load_tests consumes it
    if (dup2(fileno(run->printed), STDOUT_FILENO) < 0 ||
        dup2(fileno(run->printed), STDERR_FILENO) < 0) {
        _exit(EXIT_WORLD);
    }
    if (!codegen_load_tests(module, run_tests, &worker, &compilation->error)) {
        tell_messages(&worker);
        Record failed = {.kind = RECORD_COMPILED, .outcome = EXIT_WORLD};
        send_record(&worker, failed, "", 0);
    }
    _exit(EXIT_OK);
}
