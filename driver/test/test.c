// See test.h. Each file has a process of its own, as many at a time as --jobs says; a test that
// does not end, or that ends its process, is named, and another process goes on behind it. Nothing
// is printed before all is done, so that the output does not depend on who was faster.
#include "driver/test/test.h"

#include "driver/output.h"
#include "driver/source_files.h"
#include "driver/test/elsewhere.h"
#include "driver/test/run.h"
#include "support/file.h"
#include "support/memory.h"
#include "support/staged.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// Seconds within which a test begins, once the file is compiled.
static const double linking_seconds = 60;

typedef struct Tester {
    const Options *options;
    RenderOptions render;
    Arena *arena;
    ExitStatus status;
    LIST_OF(TestRun) runs;
} Tester;

static void note(Tester *tester, ExitStatus status) {
    tester->status = status > tester->status ? status : tester->status;
}

static void fail(Tester *tester, const char *what) {
    fprintf(stderr, "tmlc: error: %s: %s\n", what, strerror(errno));
    note(tester, EXIT_WORLD);
}

// Signals.

// A signal that ends this process ends the tests, too, which are not of the terminal's group.
static volatile sig_atomic_t ending_signal;

static void note_signal(int number) {
    ending_signal = number;
}

static void hear_signals(void (*handler)(int)) {
    static const int signals[] = {SIGHUP, SIGINT, SIGTERM};
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
        struct sigaction old;
        struct sigaction action = {.sa_handler = handler};
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN) {
            sigaction(signals[i], &action, NULL);
        }
    }
}

// Processes.

static void work(const Tester *tester, const TestRun *run, const int *pipe) {
    close(pipe[0]);
    setpgid(0, 0); // with what it starts
    hear_signals(SIG_DFL);
    int nothing = open("/dev/null", O_RDONLY);
    if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0) {
        _exit(EXIT_WORLD);
    }
    test_work(run, tester->options, tester->render, pipe[1]);
}

// For the executable of tests.
static bool make_folder(const Tester *tester, TestRun *run) {
    const char *parent = getenv("TMPDIR");
    char *folder = arena_format(tester->arena, "%s/tmlc-test-XXXXXX",
                                parent == NULL || parent[0] == '\0' ? "/tmp" : parent);
    run->folder = run->folder != NULL ? run->folder : mkdtemp(folder);
    return run->folder != NULL;
}

// False when the system has no process, pipe or file for it; then the run is done.
static bool start(Tester *tester, TestRun *run) {
    int pipe_ends[2];
    run->running = SIZE_MAX;
    run->is_told = false;
    run->printed = run->printed == NULL ? tmpfile() : run->printed;
    bool has_folder = tester->options->test.runner == NULL || make_folder(tester, run);
    run->is_done = run->printed == NULL || !has_folder || pipe(pipe_ends) != 0;
    run->process = run->is_done ? -1 : fork();
    if (run->process == 0) {
        work(tester, run, pipe_ends);
    }
    run->is_done = run->process < 0;
    if (run->is_done) {
        fail(tester, "cannot start a process for tests");
        return false;
    }
    close(pipe_ends[1]);
    run->pipe = pipe_ends[0];
    return true;
}

// The test at hand has not come back.
static void give_up(Tester *tester, TestRun *run, const char *why) {
    TestCase *test = &run->cases.items[run->running];
    test->outcome = TEST_FAILED;
    test->why = why;
    test->text = test_take_printed(tester->arena, run->printed);
}

// Where in the order of tests the next process begins: behind all that are decided. The order is
// the same in both.
static size_t count_decided(const TestRun *run) {
    size_t count = 0;
    for (size_t i = 0; i < run->cases.count; i++) {
        count += run->cases.items[i].outcome > TEST_RUNNING;
    }
    return count;
}

static bool is_waiting(const TestRun *run) {
    for (size_t i = 0; i < run->cases.count; i++) {
        if (run->cases.items[i].outcome == TEST_WAITING) {
            return true;
        }
    }
    return false;
}

// The process has closed its end, or was killed.
static void end(Tester *tester, TestRun *run) {
    int status = 0;
    close(run->pipe);
    while (waitpid(run->process, &status, 0) < 0 && errno == EINTR) {
    }
    buffer_free(&run->received);
    run->received = (Buffer){0};
    if (run->running != SIZE_MAX && run->cases.items[run->running].outcome == TEST_RUNNING) {
        give_up(
            tester, run,
            WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ
                ? arena_format(tester->arena, "it prints more than %d MiB", TEST_MOST_PRINTED >> 20)
            : WIFSIGNALED(status)
                ? arena_format(tester->arena, "ended by signal %d", WTERMSIG(status))
                : "it ended the process");
    } else if (!run->is_told) {
        buffer_format(&run->messages, "tmlc: error: compiling `%s` was ended by signal %d\n",
                      run->path, WIFSIGNALED(status) ? WTERMSIG(status) : 0);
        run->status = EXIT_WORLD;
    } else if (run->status == EXIT_OK && run->running == SIZE_MAX && is_waiting(run) &&
               !tester->options->test.lists) {
        buffer_format(&run->messages, "tmlc: error: the tests of `%s` ended before all had run\n",
                      run->path);
        run->status = EXIT_WORLD;
    }
    run->is_done = true;
    if (run->running != SIZE_MAX && is_waiting(run)) {
        run->first = count_decided(run);
        start(tester, run);
    }
}

// What they tell.

static void take_test(Tester *tester, TestRun *run, const Record *record, const char *text) {
    if (record->number < run->cases.count) {
        return; // a later process tells them again
    }
    TestCase test = {.name = arena_copy_text(tester->arena, text, record->len),
                     .line = record->line,
                     .column = record->column,
                     .outcome = (TestOutcome)record->outcome,
                     .text = ""};
    LIST_PUSH(tester->arena, &run->cases, test);
}

static void take_end(Tester *tester, TestRun *run, const Record *record, const char *text) {
    TestCase *test = &run->cases.items[record->number];
    size_t why = strlen(text) + 1;
    test->outcome = (TestOutcome)record->outcome;
    test->why = arena_copy_text(tester->arena, text, why - 1);
    test->text = arena_copy_text(tester->arena, text + why, record->len - why);
    test->seconds = record->seconds;
    run->running = SIZE_MAX;
    run->deadline = clock_seconds() + linking_seconds;
}

static void take(Tester *tester, TestRun *run, const Record *record, const char *text) {
    switch ((RecordKind)record->kind) {
    case RECORD_MESSAGES:
        buffer_append(&run->messages, text, run->first == 0 ? record->len : 0);
        return;
    case RECORD_TEST: take_test(tester, run, record, text); return;
    case RECORD_COMPILED:
        run->is_told = true;
        run->status = (ExitStatus)record->outcome;
        run->deadline = clock_seconds() + linking_seconds + tester->options->test.timeout;
        return;
    case RECORD_REPORT: run->reads_report = true; return;
    case RECORD_BEGIN:
        run->running = record->number;
        run->cases.items[record->number].outcome = TEST_RUNNING;
        run->deadline = clock_seconds() + tester->options->test.timeout;
        return;
    case RECORD_END: take_end(tester, run, record, text); return;
    }
}

// False at the end.
static bool receive(Tester *tester, TestRun *run) {
    char bytes[16384];
    ssize_t got = read(run->pipe, bytes, sizeof bytes);
    if (got <= 0) {
        return got < 0 && errno == EINTR;
    }
    Buffer *received = &run->received;
    buffer_append(received, bytes, (size_t)got);
    size_t at = 0;
    for (Record record; received->len - at >= sizeof record;) {
        memcpy(&record, received->data + at, sizeof record);
        if (received->len - at - sizeof record < record.len) {
            break;
        }
        take(tester, run, &record, received->data + at + sizeof record);
        at += sizeof record + record.len;
    }
    memmove(received->data, received->data + at, received->len - at);
    received->len -= at;
    return true;
}

static void stop(const TestRun *run) {
    kill(-run->process, SIGKILL);
    kill(run->process, SIGKILL); // which may not have its group yet
}

static void stop_late(Tester *tester, TestRun *run) {
    bool is_late = run->is_told && clock_seconds() > run->deadline;
    if (is_late) {
        stop(run);
    }
    if (is_late && run->running != SIZE_MAX) {
        give_up(tester, run,
                arena_format(tester->arena, "it did not end within %g s",
                             tester->options->test.timeout));
        end(tester, run);
    }
}

// All of them.

// The runs from `first` on that are at work, at most `most`.
static size_t list_active(Tester *tester, TestRun **active, size_t most, size_t *next) {
    size_t count = 0;
    for (size_t i = 0; i < *next; i++) {
        if (!tester->runs.items[i].is_done) {
            active[count++] = &tester->runs.items[i];
        }
    }
    while (count < most && *next < tester->runs.count) {
        TestRun *run = &tester->runs.items[(*next)++];
        if (start(tester, run)) {
            active[count++] = run;
        }
    }
    return count;
}

// The files and folders of the tests.
static void clean(const Tester *tester) {
    for (size_t i = 0; i < tester->runs.count; i++) {
        if (tester->runs.items[i].folder != NULL) {
            test_clean(tester->runs.items[i].folder);
        }
    }
}

// Ends as the signal does.
static void stop_all(const Tester *tester, TestRun *const *active, size_t count) {
    for (size_t i = 0; i < count; i++) {
        stop(active[i]);
    }
    clean(tester);
    hear_signals(SIG_DFL);
    raise(ending_signal);
}

static void run_all(Tester *tester) {
    hear_signals(note_signal);
    size_t most = tester->options->test.jobs;
    TestRun **active = ARENA_ARRAY(tester->arena, TestRun *, most);
    struct pollfd *polls = ARENA_ARRAY(tester->arena, struct pollfd, most);
    size_t next = 0;
    for (size_t count; (count = list_active(tester, active, most, &next)) > 0;) {
        enum { TICK = 50 }; // milliseconds, so that no deadline is missed by more
        for (size_t i = 0; i < count; i++) {
            polls[i] = (struct pollfd){.fd = active[i]->pipe, .events = POLLIN};
        }
        poll(polls, count, TICK);
        if (ending_signal != 0) {
            stop_all(tester, active, count);
        }
        for (size_t i = 0; i < count; i++) {
            if (polls[i].revents != 0 && !receive(tester, active[i])) {
                end(tester, active[i]);
            } else {
                stop_late(tester, active[i]);
            }
        }
    }
}

static void add_runs(Tester *tester, const TextList *files, uint32_t line) {
    const Options *options = tester->options;
    unsigned chosen = options->compile.codegen.opt_level;
    unsigned first = options->test.all_levels ? 0 : chosen;
    unsigned last = options->test.all_levels ? 3 : chosen;
    for (size_t i = 0; i < files->count; i++) {
        for (unsigned level = first; level <= last; level++) {
            TestRun run = {.path = files->items[i], .line = line, .level = level};
            LIST_PUSH(tester->arena, &tester->runs, run);
        }
    }
}

// The line behind `FILE:`, where there is no file of the whole name; *colon is NULL where none
// stands.
static uint32_t line_of(const char *input, const char **colon) {
    *colon = strrchr(input, ':');
    char *end = NULL;
    unsigned long line = *colon == NULL ? 0 : strtoul(*colon + 1, &end, 10);
    bool is_line = line > 0 && line < UINT32_MAX && isdigit((unsigned char)(*colon)[1]) &&
                   *end == '\0' && access(input, F_OK) != 0;
    return is_line ? (uint32_t)line : 0;
}

static void add_input(Tester *tester, const char *input) {
    const char *colon = NULL;
    uint32_t line = line_of(input, &colon);
    TextList files = {0};
    if (line > 0) {
        const char *path = arena_copy_text(tester->arena, input, (size_t)(colon - input));
        LIST_PUSH(tester->arena, &files, path);
    } else {
        note(tester, source_files(tester->arena, input, &files));
    }
    add_runs(tester, &files, line);
}

// The worst of how files were compiled and tests ended.
static void judge(Tester *tester) {
    size_t tests = 0;
    for (size_t i = 0; i < tester->runs.count; i++) {
        const TestRun *run = &tester->runs.items[i];
        note(tester, run->status);
        for (size_t k = 0; k < run->cases.count; k++) {
            tests += run->cases.items[k].outcome != TEST_LEFT_OUT;
            note(tester, run->cases.items[k].outcome == TEST_FAILED ? EXIT_ERRORS : EXIT_OK);
        }
    }
    if (tests == 0 && tester->status == EXIT_OK && !tester->options->test.lists) {
        bool has_line = tester->runs.count > 0 && tester->runs.items[0].line > 0;
        fprintf(stderr, "tmlc: error: there is no test%s\n",
                tester->options->test.filter != NULL ? " with such a name"
                : has_line                           ? " that begins in this line"
                                                     : "");
        note(tester, EXIT_ERRORS);
    }
}

static void write_report(Tester *tester, const Buffer *text) {
    const char *path = tester->options->test.out;
    const char *error = NULL;
    if (path == NULL) {
        note(tester, output_print(text->data, text->len, &error));
        if (error != NULL) {
            fprintf(stderr, "tmlc: error: %s\n", error);
        }
        return;
    }
    for (size_t i = 0; i < tester->runs.count; i++) {
        const TestRun *run = &tester->runs.items[i];
        bool is_source = file_same(run->path, path);
        if (is_source || run->reads_report) {
            const char *why =
                is_source ? "it is a source file"
                          : arena_format(tester->arena, "the tests of `%s` read it", run->path);
            fprintf(stderr, "tmlc: error: cannot write `%s`: %s\n", path, why);
            note(tester, EXIT_USAGE);
            return;
        }
    }
    StagedFile file;
    size_t failed = 0;
    if (!staged_create(&file, path, text->data, text->len, &error) ||
        !staged_commit(&file, 1, &failed, &error)) {
        fprintf(stderr, "tmlc: error: cannot write `%s`: %s\n", path, error);
        note(tester, EXIT_WORLD);
    }
}

ExitStatus test_inputs(const Options *options, RenderOptions render) {
    Tester tester = {
        .options = options, .render = render, .arena = arena_create(), .status = EXIT_OK};
    for (size_t i = 0; i < options->inputs.count; i++) {
        add_input(&tester, options->inputs.items[i]);
    }
    if (options->inputs.count == 0) {
        add_input(&tester, ".");
    }
    run_all(&tester);
    for (size_t i = 0; i < tester.runs.count; i++) {
        const Buffer *messages = &tester.runs.items[i].messages;
        fwrite(messages->data, 1, messages->len, stderr);
    }
    judge(&tester);
    Buffer text = {0};
    buffer_text(&text, "");
    test_report(tester.runs.items, tester.runs.count, options, &text);
    write_report(&tester, &text);
    buffer_free(&text);
    for (size_t i = 0; i < tester.runs.count; i++) {
        buffer_free(&tester.runs.items[i].messages);
        if (tester.runs.items[i].printed != NULL) {
            fclose(tester.runs.items[i].printed);
        }
    }
    clean(&tester);
    arena_destroy(tester.arena);
    return tester.status;
}
