#include "tests/random/run_program.h"

#include "driver/code.h"
#include "driver/compile.h"
#include "support/bug.h"
#include "tests/golden/golden_oracle.h"
#include "tests/random/host.h"
#include "tests/random/simulation.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    TIME_LIMIT_SECONDS = 20, // of the processor
    COMPILE_LIMIT_SECONDS = 10,
    WAITING = 20, // times as long by the clock, whatever else the machine does
    ARGUMENT_BYTES = 1024,
};

// What the process that runs a program leaves behind.
typedef struct Trace {
    RunWay way; // the one that it is in
    bool is_rejected;
    int way_count; // that have been run
    int status[RUN_WAY_COUNT];
    char arguments[ARGUMENT_BYTES]; // that the program got
} Trace;

static const char *const way_texts[RUN_WAY_COUNT] = {
    [RUN_CHECKED] = "the evaluator, as checked",
    [RUN_PASSES] = "the evaluator, after the passes",
    [RUN_O0] = "compiled at -O0",
    [RUN_O2] = "compiled at -O2",
    [RUN_OTHER] = "compiled as the first line says",
};

static unsigned count_errors(const RunReport *report) {
    unsigned count = 0;
    for (const char *at = report->text.data; (at = strstr(at, "error[")) != NULL; at++) {
        count++;
    }
    return count;
}

// Rejections agree when their codes do and there are no new ones, crashes when their messages do.
bool run_same_failure(const RunReport *a, const RunReport *b) {
    if (a->verdict != b->verdict || a->way != b->way) {
        return false;
    }
    const char *mark = a->verdict == VERDICT_REJECTED ? "error[" : "internal compiler error";
    const char *left = strstr(a->text.data, mark);
    const char *right = strstr(b->text.data, mark);
    if (!left || !right || count_errors(b) < count_errors(a)) {
        return !left && !right;
    }
    size_t len = a->verdict == VERDICT_REJECTED ? strcspn(left, "]") : strcspn(left, "\n");
    return strncmp(left, right, len) == 0;
}

// The first line is a comment with options.
static bool has_option(const char *source, const char *option) {
    const char *found = strstr(source, option);
    return found != NULL && found < strchr(source, '\n');
}

static bool is_compiled(RunWay way) {
    return way != RUN_CHECKED && way != RUN_PASSES;
}

// Without checks anything may happen where the program should trap.
static bool is_left_out(RunWay way, const Trace *trace, const char *source) {
    return way == RUN_OTHER && trace->status[RUN_CHECKED] == EXIT_TRAP &&
           has_option(source, "--checks=none");
}

// Connects the optional terminals in a list like `with=t.a,t.b,`.
static void connect_terminals(TextList *connections, Arena *arena, const char *source) {
    const char *at = strstr(source, "with=");
    const char *end = source + strcspn(source, "\n");
    for (at = at != NULL && at < end ? at + strlen("with=") : end; at < end;) {
        size_t len = strcspn(at, ",\n");
        const char *name = arena_copy_text(arena, at, len);
        LIST_PUSH(arena, connections, name);
        at += len + 1;
    }
}

static CompileOptions options_of(RunWay way, Arena *arena, const char *source) {
    CompileOptions options = compile_defaults();
    options.stage = way == RUN_CHECKED  ? STAGE_CHECK
                    : way == RUN_PASSES ? STAGE_PASSES
                                        : STAGE_CODEGEN;
    options.executable = true;
    options.debug_signals = true;
    options.front.single = has_option(source, "--real=f32");
    options.codegen.fp = has_option(source, "--fp=strict") ? FP_STRICT : FP_DEFAULT;
    options.verify_tir = true;
    options.codegen.opt_level = way == RUN_O0 ? 0 : 2;
    if (way == RUN_OTHER) {
        bool is_small = has_option(source, "-Os"), is_least = has_option(source, "-Oz");
        options.codegen.size = is_small ? SIZE_SMALL : is_least ? SIZE_LEAST : SIZE_ANY;
        options.codegen.opt_level = has_option(source, "-O1") ? 1 : is_small || is_least ? 2 : 3;
        options.codegen.checks = !has_option(source, "--checks=none");
    }
    connect_terminals(&options.front.connections, arena, source);
    return options;
}

// Standard input is in the file; the arguments go to the trace too.
static int run(RunWay way, Compilation *compilation, const char *source, int input, Trace *trace) {
    Simulation simulation;
    simulation_prepare(&simulation, compilation->context, compilation->program, source);
    CHECK(ftruncate(input, 0) == 0);
    CHECK(pwrite(input, simulation.input.data, simulation.input.len, 0) ==
          (ssize_t)simulation.input.len);
    CHECK(lseek(input, 0, SEEK_SET) == 0 && dup2(input, STDIN_FILENO) == STDIN_FILENO);
    size_t len = 0;
    for (int i = 1; i < simulation.argument_count && len < ARGUMENT_BYTES; i++) {
        len += (size_t)snprintf(trace->arguments + len, ARGUMENT_BYTES - len, " %s",
                                simulation.arguments[i]);
    }
    int status = EXIT_OK;
    host_be_unkind(is_compiled(way));
    if (way == RUN_CHECKED || way == RUN_PASSES) {
        CodegenOptions options = options_of(way, compilation->context->arena, source).codegen;
        compilation->program->math = codegen_math(compilation->context->arena, &options);
        status = oracle_run(compilation->context, compilation->program, simulation.argument_count,
                            simulation.arguments);
    } else {
        CodegenModule *module = compilation->module;
        compilation->module = NULL;
        if (!codegen_run(module, simulation.argument_count, simulation.arguments, &status,
                         &compilation->error)) {
            BUG("%s", compilation->error);
        }
    }
    buffer_free(&simulation.input);
    return status;
}

static int compile(Compilation *compilation, const char *source, size_t len,
                   const CompileOptions *options) {
    ExitStatus status = compile_text(compilation, "random.tml", source, len, options);
    return (int)(status == EXIT_OK ? code_make(compilation, options) : status);
}

static int perform(RunWay way, const char *source, size_t len, int input, Trace *trace) {
    Arena *arena = arena_create();
    CompileOptions options = options_of(way, arena, source);
    Compilation compilation;
    int status = compile(&compilation, source, len, &options);
    trace->is_rejected = status != EXIT_OK;
    if (status != EXIT_OK) {
        Buffer messages = {0};
        compile_messages(&compilation, (RenderOptions){RENDER_HUMAN, false}, &messages);
        fwrite(messages.data, 1, messages.len, stderr);
        buffer_free(&messages);
    } else {
        status = run(way, &compilation, source, input, trace);
        trace->is_rejected = status != EXIT_OK && status != EXIT_TRAP; // arguments or input
    }
    code_drop(&compilation);
    compilation_finish(&compilation);
    arena_destroy(arena);
    return status;
}

// Ends this process when it has computed, or waited, for too long.
static void limit_time(unsigned seconds) {
    struct itimerval limit = {.it_value = {.tv_sec = seconds}};
    CHECK(setitimer(ITIMER_PROF, &limit, NULL) == 0);
    alarm(WAITING * seconds);
}

static bool is_time_over(int signal) {
    return signal == SIGPROF || signal == SIGALRM;
}

static _Noreturn void perform_all(const char *source, size_t len, Trace *trace, int input,
                                  const int *outputs, const int *errors) {
    limit_time(TIME_LIMIT_SECONDS);
    for (int way = 0; way < RUN_WAY_COUNT && !trace->is_rejected; way++) {
        if (is_left_out((RunWay)way, trace, source)) {
            break;
        }
        trace->way = (RunWay)way;
        dup2(outputs[way], STDOUT_FILENO);
        dup2(errors[way], STDERR_FILENO);
        trace->status[way] = perform((RunWay)way, source, len, input, trace);
        CHECK(fflush(stdout) == 0);
        trace->way_count = way + 1;
    }
    _exit(0);
}

static void read_all(int fd, Buffer *out) {
    lseek(fd, 0, SEEK_SET);
    char chunk[4096];
    buffer_text(out, "");
    for (ssize_t len; (len = read(fd, chunk, sizeof(chunk))) > 0;) {
        buffer_append(out, chunk, (size_t)len);
    }
    close(fd);
}

// Says in which line two texts differ first.
static bool compare(RunReport *report, const char *what, const char *expected, const char *actual) {
    if (strcmp(expected, actual) == 0) {
        return true;
    }
    size_t line = 1;
    size_t start = 0;
    for (size_t i = 0; expected[i] != '\0' && expected[i] == actual[i]; i++) {
        if (expected[i] == '\n') {
            line++;
            start = i + 1;
        }
    }
    buffer_format(&report->text, "%s, %s, line %zu:\n  expected %.*s\n  got      %.*s\n",
                  way_texts[report->way], what, line, (int)strcspn(expected + start, "\n"),
                  expected + start, (int)strcspn(actual + start, "\n"), actual + start);
    return false;
}

// Both are messages of traps on the same line. The generator writes one statement per line.
static bool same_line(const char *expected, const char *actual) {
    size_t len = strcspn(expected, ":");
    len += expected[len] == ':' ? 1 + strcspn(expected + len + 1, ":") : 0;
    return strncmp(expected, actual, len) == 0 && strstr(actual, ": trap[") != NULL;
}

static void compare_ways(RunReport *report, const Trace *trace, const Buffer *outputs,
                         const Buffer *errors) {
    bool is_trap = trace->status[0] == EXIT_TRAP;
    report->verdict = is_trap ? VERDICT_TRAPPED : VERDICT_FINISHED;
    for (int way = 1; way < trace->way_count; way++) {
        report->way = (RunWay)way;
        bool same = compare(report, "standard output", outputs[0].data, outputs[way].data);
        bool is_optimised = way > RUN_O0;
        const char *expected = errors[is_optimised ? RUN_O0 : RUN_CHECKED].data;
        if (is_trap && !is_optimised && same_line(expected, errors[way].data)) {
            bool elsewhere = strcmp(expected, errors[way].data) != 0;
            report->verdict = elsewhere ? VERDICT_TRAPPED_ELSEWHERE : report->verdict;
        } else {
            same &= compare(report, "standard error", expected, errors[way].data);
        }
        if (trace->status[0] != trace->status[way]) {
            buffer_format(&report->text, "%s: exit status %d, expected %d\n", way_texts[way],
                          trace->status[way], trace->status[0]);
            same = false;
        }
        if (!same) {
            report->verdict = VERDICT_DIFFERS;
            return;
        }
    }
}

// Of a process that did not end well.
static void report_end(RunReport *report, int status, const char *errors) {
    bool is_signal = WIFSIGNALED(status);
    bool is_over = is_signal && is_time_over(WTERMSIG(status));
    report->verdict = is_over ? VERDICT_HANGS : VERDICT_CRASHED;
    buffer_format(&report->text, "%s: %s %d\n%s", way_texts[report->way],
                  is_signal ? "signal" : "exit status",
                  is_signal ? WTERMSIG(status) : WEXITSTATUS(status), errors);
}

static void judge(RunReport *report, const Trace *trace, int status, const Buffer *outputs,
                  const Buffer *errors) {
    report->way = trace->way;
    if (status != 0) {
        report_end(report, status, errors[trace->way].data);
    } else if (trace->is_rejected) {
        report->verdict = VERDICT_REJECTED;
        buffer_format(&report->text, "rejected:\n%s", errors[trace->way].data);
    } else {
        compare_ways(report, trace, outputs, errors);
    }
}

static int memory_file(void) {
    int fd = memfd_create("random", 0);
    CHECK(fd >= 0);
    return fd;
}

static int wait_for(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        CHECK(errno == EINTR);
    }
    return status;
}

void run_program(const char *source, size_t len, RunReport *report) {
    *report = (RunReport){0};
    Trace *trace =
        mmap(NULL, sizeof(*trace), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(trace != MAP_FAILED);
    int input = memory_file();
    int fds[2][RUN_WAY_COUNT];
    for (int i = 0; i < 2 * RUN_WAY_COUNT; i++) {
        fds[i / RUN_WAY_COUNT][i % RUN_WAY_COUNT] = memory_file();
    }
    fflush(stdout);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        perform_all(source, len, trace, input, fds[0], fds[1]);
    }
    int status = wait_for(child);
    Buffer texts[2][RUN_WAY_COUNT] = {0};
    for (int i = 0; i < 2 * RUN_WAY_COUNT; i++) {
        read_all(fds[i / RUN_WAY_COUNT][i % RUN_WAY_COUNT],
                 &texts[i / RUN_WAY_COUNT][i % RUN_WAY_COUNT]);
    }
    buffer_text(&report->text, "");
    judge(report, trace, status, texts[0], texts[1]);
    Buffer given = {0};
    read_all(input, &given);
    report->is_failure = report->verdict > VERDICT_TRAPPED_ELSEWHERE;
    if (report->is_failure && (given.len > 0 || trace->arguments[0] != '\0')) {
        buffer_format(&report->text, "arguments:%s\n%s", trace->arguments, given.data);
    }
    buffer_free(&given);
    for (int i = 0; i < 2 * RUN_WAY_COUNT; i++) {
        buffer_free(&texts[i / RUN_WAY_COUNT][i % RUN_WAY_COUNT]);
    }
    munmap(trace, sizeof(*trace));
}

void run_compiler(const char *source, size_t len, RunReport *report) {
    *report = (RunReport){.way = RUN_O0};
    int errors = memory_file();
    fflush(stdout);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        limit_time(COMPILE_LIMIT_SECONDS);
        dup2(errors, STDERR_FILENO);
        Arena *arena = arena_create();
        CompileOptions options = options_of(RUN_O0, arena, source);
        Compilation compilation;
        int status = compile(&compilation, source, len, &options);
        Buffer messages = {0};
        compile_messages(&compilation, (RenderOptions){RENDER_HUMAN, false}, &messages);
        _exit(status);
    }
    int status = wait_for(child);
    Buffer text = {0};
    read_all(errors, &text);
    buffer_text(&report->text, "");
    if (WIFEXITED(status) && WEXITSTATUS(status) <= EXIT_ERRORS) {
        report->verdict = WEXITSTATUS(status) == EXIT_OK ? VERDICT_FINISHED : VERDICT_REJECTED;
    } else {
        report->is_failure = true;
        report_end(report, status, text.data);
    }
    buffer_free(&text);
}
