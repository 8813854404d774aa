// The process that has a file's tests. It compiles in memory, as `tmlc run` does, and tells what it
// does as it goes, so that whoever waits for it knows which test is at hand when it does not
// return.
#include "driver/code.h"
#include "driver/source_files.h"
#include "driver/test/elsewhere.h"
#include "driver/test/run.h"
#include "support/file.h"
#include "support/memory.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

typedef struct Worker {
    const TestRun *run;
    const Options *options;
    RenderOptions render;
    int pipe;
    Compilation compilation;
    size_t *order; // of the tests that are wanted,
    size_t count;  // so many
    double start;  // of the one at hand
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

// More than this ends the process by SIGXFSZ.
static void bound_printing(void) {
    struct rlimit limit = {0, 0};
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur > TEST_MOST_PRINTED) {
        limit.rlim_cur = TEST_MOST_PRINTED;
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    signal(SIGXFSZ, SIG_DFL);
}

char *test_take_printed(Arena *arena, FILE *printed) {
    enum { MOST = 64 << 10 };
    int fd = fileno(printed);
    off_t len = lseek(fd, 0, SEEK_END);
    size_t count = len < MOST ? (size_t)len : MOST;
    char *text = ARENA_ARRAY(arena, char, count + 1);
    ssize_t got = pread(fd, text, count, 0);
    text[got < 0 ? 0 : got] = '\0';
    if (len > MOST) {
        text = arena_format(arena, "%s\n... and %lld bytes more\n", text, (long long)(len - MOST));
    }
    if (ftruncate(fd, 0) != 0 || lseek(fd, 0, SEEK_SET) != 0) {
        text[0] = '\0'; // then what others print would follow it
    }
    return text;
}

// One test.

static bool is_wanted(const Worker *worker, const TirTest *test) {
    const char *filter = worker->options->test.filter;
    uint32_t line = worker->run->line;
    const SourceMap *sources = worker->compilation.context->sources;
    return (filter == NULL || strstr(test->name->text, filter) != NULL) &&
           (line == 0 || sources_place(sources, test->span.start).line == line);
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

// Why it failed, or NULL. The text of one that has a function is what it printed.
static const char *judge_test(Worker *worker, const TirTest *test, int status, const char **text) {
    Arena *arena = worker->compilation.context->arena;
    if (test->function == NULL) {
        *text = test->failure == NULL ? "" : render_failure(worker, test->failure);
        return test->failure == NULL ? NULL : test->failure->message;
    }
    if (status == test->trap) {
        return NULL;
    }
    if (status < 0) {
        return arena_format(arena, "trap E%d in the file, before the test begins", -status);
    }
    return status == EXIT_OK      ? arena_format(arena, "it ends without trap E%d", test->trap)
           : status == EXIT_WORLD ? "a file or the system failed"
           : test->trap == 0      ? arena_format(arena, "trap E%d", status)
                                  : arena_format(arena, "trap E%d, not E%d", status, test->trap);
}

static void begin_test(void *data, size_t number) {
    Worker *worker = data;
    send_record(worker, (Record){.kind = RECORD_BEGIN, .number = (uint32_t)number}, "", 0);
    worker->start = clock_seconds();
}

static void end_test(void *data, size_t number, int status) {
    Worker *worker = data;
    const TirTest *test = worker->compilation.program->tests.items[number];
    bool skips = status == TEST_NOT_THERE;
    fflush(stderr);
    const char *text = test_take_printed(worker->compilation.context->arena, worker->run->printed);
    const char *why = judge_test(worker, test, status, &text);
    Record end = {.kind = RECORD_END,
                  .number = (uint32_t)number,
                  .outcome = skips         ? TEST_SKIPPED
                             : why == NULL ? TEST_PASSED
                                           : TEST_FAILED,
                  .seconds = clock_seconds() - worker->start};
    Buffer both = {0};
    buffer_text(&both, skips ? "it reads ports, which are not there" : why == NULL ? "" : why);
    buffer_append(&both, "", 1);
    buffer_text(&both, text);
    send_record(worker, end, both.data, both.len);
    buffer_free(&both);
}

static void run_tests(const CodegenTests *tests, void *data) {
    Worker *worker = data;
    for (size_t i = worker->run->first; i < worker->count; i++) {
        size_t number = worker->order[i];
        bool runs = worker->compilation.program->tests.items[number]->function != NULL;
        begin_test(worker, number);
        int status = runs ? codegen_run_test(tests, number, worker->run->path) : EXIT_OK;
        end_test(worker, number, status);
    }
}

static bool run_all(Worker *worker) {
    Compilation *compilation = &worker->compilation;
    if (worker->options->test.runner != NULL) {
        TestEvents events = {begin_test, end_test, worker};
        size_t first = worker->run->first;
        return test_elsewhere(compilation, worker->run, worker->options, worker->order + first,
                              worker->count - first, &events);
    }
    bound_printing();
    CodegenModule *module = compilation->module;
    compilation->module = NULL; // codegen_load_tests consumes it
    return codegen_load_tests(module, run_tests, worker, &compilation->error);
}

// All of them.

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

// Those that are wanted, in the order of the file, or one that the seed gives.
static void order_tests(Worker *worker) {
    const TirProgram *program = worker->compilation.program;
    uint64_t seed = worker->options->test.seed;
    size_t *order =
        ARENA_ARRAY(worker->compilation.context->arena, size_t, program->tests.count + 1);
    for (size_t i = 0; i < program->tests.count; i++) {
        if (is_wanted(worker, program->tests.items[i])) {
            order[worker->count++] = i;
        }
    }
    for (size_t i = worker->count; seed != 0 && i > 1; i--) {
        seed = seed * 6364136223846793005U + 1442695040888963407U;
        size_t other = (size_t)((seed >> 33) % i);
        size_t kept = order[i - 1];
        order[i - 1] = order[other];
        order[other] = kept;
    }
    worker->order = order;
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

// False for a file without tests, of which nothing more is said: an import, or one that stands
// below a folder. What cannot be parsed may have some.
static bool has_tests(const Worker *worker) {
    CompileOptions options = worker->options->compile;
    options.stage = STAGE_PARSE;
    Compilation compilation;
    bool found = compile_file(&compilation, worker->run->path, &options) != EXIT_OK;
    found = found || compilation.source->tests.count > 0;
    compilation_finish(&compilation);
    return found;
}

// Whether the report would take the place of a source or of a recording.
static bool reads_report(const Worker *worker) {
    enum { REPLAY_LETTERS = 2 }; // before the path
    const char *path = worker->options->test.out;
    const TirProgram *program = worker->compilation.program;
    bool reads =
        path != NULL && source_files_have(worker->compilation.context->sources, NULL, path);
    for (size_t i = 0; path != NULL && program != NULL && i < program->replays.count; i++) {
        reads |= file_same(program->replays.items[i] + REPLAY_LETTERS, path);
    }
    return reads;
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
    if (!has_tests(&worker)) {
        send_record(&worker, (Record){.kind = RECORD_COMPILED, .outcome = EXIT_OK}, "", 0);
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
    if (reads_report(&worker)) {
        send_record(&worker, (Record){.kind = RECORD_REPORT}, "", 0);
    }
    if (status == EXIT_OK) {
        tell_tests(&worker);
    }
    send_record(&worker, (Record){.kind = RECORD_COMPILED, .outcome = (uint32_t)status}, "", 0);
    if (status != EXIT_OK || options->test.lists) {
        _exit(EXIT_OK);
    }
    order_tests(&worker);
    if (dup2(fileno(run->printed), STDOUT_FILENO) < 0 ||
        dup2(fileno(run->printed), STDERR_FILENO) < 0) {
        _exit(EXIT_WORLD);
    }
    if (!run_all(&worker)) {
        tell_messages(&worker);
        Record failed = {.kind = RECORD_COMPILED, .outcome = EXIT_WORLD};
        send_record(&worker, failed, "", 0);
    }
    _exit(EXIT_OK);
}
