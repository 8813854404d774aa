// See elsewhere.h. The executable is the object, a main in C that the system's C compiler or
// TMLC_CC compiles, and what that links beside them; it has no runtime, so what tests print is
// dropped, and the files that they replay are in it. How tests end are lines that begin with
// `@tmlc`, of which the messages are made here.
#include "driver/test/elsewhere.h"

#include "codegen/unit/layout.h"
#include "codegen/unit/model_rows.h"
#include "driver/code.h"
#include "driver/command.h"
#include "driver/describe/header.h"
#include "driver/test/recordings.h"
#include "runtime/run/report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char tests_header[] = {
#include "tests_header.inc"
    '\0'};
static const char on_target[] = {
#include "on_target.inc"
    '\0'};
static const char *const names[] = {"tests.c", "tests.o", "tests"};

void test_clean(const char *folder) {
    char path[4096];
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    rmdir(folder);
}

static void print_size(Buffer *out, const char *name, uint64_t bytes) {
    buffer_format(out, "#define %s %llu\n", name, (unsigned long long)(bytes == 0 ? 1 : bytes));
}

static void print_main(const Compilation *compilation, const Recordings *recordings,
                       const size_t *which, size_t count, Buffer *out) {
    const TirProgram *program = compilation->program;
    const char *tests = codegen_model(compilation->module);
    buffer_text(out, header_model_text());
    buffer_text(out, tests_header);
    buffer_format(out, "extern const tml_tests %s;\n#define TESTS %s\n", tests, tests);
    print_size(out, "STATE_BYTES", layout_state(program).bytes);
    print_size(out, "PARAMS_BYTES", layout_struct(program, INTERFACE_TUNABLE).bytes);
    print_size(out, "INPUTS_BYTES", layout_struct(program, INTERFACE_INPUT).bytes);
    print_size(out, "OUTPUTS_BYTES", layout_struct(program, INTERFACE_OUTPUT).bytes);
    buffer_text(out, "static const uint32_t which[] = {");
    for (size_t i = 0; i < count; i++) {
        buffer_format(out, "%s%zu", i == 0 ? "" : ", ", which[i]);
    }
    buffer_text(out, "};\n");
    buffer_format(out, "#define NOT_THERE (%d)\n#define FILE_FAILED %d\n", TEST_NOT_THERE,
                  EXIT_WORLD);
    recordings_print(recordings, out);
    buffer_text(out, on_target);
}

static bool write_file(Arena *arena, const char *path, const Buffer *text, const char **error) {
    FILE *file = fopen(path, "wb");
    bool good = file != NULL && fwrite(text->data, 1, text->len, file) == text->len;
    good = (file == NULL || fclose(file) == 0) && good;
    if (!good) {
        *error = arena_format(arena, "cannot write `%s`: %s", path, strerror(errno));
    }
    return good;
}

static bool link_tests(Compilation *compilation, const TestRun *run, const Options *options,
                       const Recordings *recordings, const size_t *which, size_t count) {
    Arena *arena = compilation->context->arena;
    const char *paths[3];
    for (size_t i = 0; i < 3; i++) {
        paths[i] = arena_format(arena, "%s/%s", run->folder, names[i]);
    }
    bool is_host = codegen_is_host(compilation->module);
    Buffer source = {0}, object = {0};
    print_main(compilation, recordings, which, count, &source);
    bool done = codegen_emit(compilation->module, CODEGEN_OBJECT, &object, &compilation->error) &&
                write_file(arena, paths[0], &source, &compilation->error) &&
                write_file(arena, paths[1], &object, &compilation->error);
    buffer_free(&source);
    buffer_free(&object);
    if (!done) {
        return false;
    }
    SystemCommand command = command_create(arena, "compiler", "TMLC_CC", TMLC_DEFAULT_CC);
    size_t given = command.words.count;
    const char *words[] = {"-o", paths[2], paths[0], paths[1]};
    for (size_t i = 0; i < 4; i++) {
        command_add(arena, &command, words[i]);
    }
    for (size_t i = 0; i < given; i++) { // libraries of TMLC_CC stand behind what needs them
        if (strncmp(command.words.items[i], "-l", 2) == 0) {
            command_add(arena, &command, command.words.items[i]);
        }
    }
    if (is_host) {
        command_add(arena, &command, "-lm");
    }
    return command_run(arena, &command, options->verbose, &compilation->error);
}

// What it says.

// The executable, as it is heard.
typedef struct Heard {
    Compilation *compilation;
    const Recordings *recordings;
    tml_fault fault;
} Heard;

// The text at the end of a line, in which a newline was told as 1.
static const char *ending(char *line, int at) {
    line[strcspn(line, "\r\n")] = '\0';
    for (char *text = line; *text != '\0'; text++) {
        *text = *text == 1 ? '\n' : *text;
    }
    return line + at + (line[at] == ' ');
}

static void report_trap(Heard *heard, const char *text) {
    const SourceMap *sources = heard->compilation->context->sources;
    tml_fault *fault = &heard->fault;
    SourceFile *file = sources_file(sources, fault->file);
    Slice source = source_line(file, fault->line);
    tml_line line = {
        .line = fault->line,
        .text = arena_copy_text(heard->compilation->context->arena, source.data, source.len)};
    tml_model model = {.files = &file->path,
                       .texts = &text,
                       .line_count = source.len <= SHOWN_LINE_BYTES,
                       .lines = &line};
    fault->file = 0;
    fault->index = fault->code == TML_E_INDEX ? fault->index : 0;
    tml_report_trap(fault, &model, "");
}

// Whether the line is one of a message.
static bool take_message(Heard *heard, char *line) {
    tml_fault fault = {0};
    tml_type type = {0};
    TrapNote note = {.type = &type};
    size_t number = 0, row = 0;
    int64_t bits = 0;
    int at = 0;
    if (sscanf(line,
               "@tmlc trap %" SCNd32 " %" SCNu32 " %" SCNu32 " %" SCNu32 " %" SCNd64 " %" SCNu64
               "%n",
               &fault.code, &fault.file, &fault.line, &fault.column, &fault.index, &fault.length,
               &at) == 6 &&
        fault.file < sources_count(heard->compilation->context->sources) && fault.line > 0) {
        heard->fault = fault;
        report_trap(heard, ending(line, at));
    } else if (sscanf(line, "@tmlc note %" SCNu8 " %" SCNu8 " %" SCNd64 "%n", &type.root,
                      &type.real_bytes, &bits, &at) == 3) {
        note.value = (uint64_t)bits;
        note.text = ending(line, at);
        tml_report_trap_note(&heard->fault, &note);
    } else if (sscanf(line, "@tmlc row %zu %zu", &number, &row) == 2 &&
               number < heard->recordings->count &&
               row < heard->recordings->items[number].places.count) {
        const Recording *recording = &heard->recordings->items[number];
        Position place = recording->places.items[row];
        tml_report_note(recording->port + 2, place.line, place.column, "in this row");
    } else if (sscanf(line, "@tmlc file %zu", &number) == 1 && number < heard->recordings->count &&
               heard->recordings->items[number].failure != NULL) {
        fputs(heard->recordings->items[number].failure, stderr);
    } else {
        return false;
    }
    return true;
}

// Reads what the executable says; the test at hand when it ends is left open.
static size_t follow(Heard *heard, FILE *output, const TestRun *run, const TestEvents *events) {
    size_t ended = 0;
    size_t number = 0;
    char *line = NULL;
    size_t capacity = 0;
    while (getline(&line, &capacity, output) > 0) {
        int status = 0;
        if (sscanf(line, "@tmlc begin %zu", &number) == 1) {
            test_take_printed(heard->compilation->context->arena, run->printed);
            events->begin(events->data, number);
        } else if (sscanf(line, "@tmlc end %d", &status) == 1) {
            events->end(events->data, number, status);
            ended++;
        } else if (!take_message(heard, line)) {
            fputs(line, stderr);
        }
    }
    free(line);
    return ended;
}

bool test_elsewhere(Compilation *compilation, const TestRun *run, const Options *options,
                    const size_t *which, size_t count, const TestEvents *events) {
    Arena *arena = compilation->context->arena;
    Recordings recordings = recordings_read(arena, compilation->program, run);
    bool linked = count == 0 || link_tests(compilation, run, options, &recordings, which, count);
    recordings_free(&recordings);
    code_drop(compilation);
    if (!linked || count == 0) {
        return linked;
    }
    const char *command =
        arena_format(arena, "%s %s/%s", options->test.runner, run->folder, names[2]);
    int ends[2];
    pid_t process = pipe(ends) == 0 ? fork() : -1;
    if (process == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    if (process < 0) {
        compilation->error = arena_format(arena, "cannot run `%s`: %s", command, strerror(errno));
        return false;
    }
    close(ends[1]);
    FILE *output = fdopen(ends[0], "r");
    Heard heard = {compilation, &recordings, {0}};
    size_t ended = output == NULL ? 0 : follow(&heard, output, run, events);
    int status = -1;
    waitpid(process, &status, 0);
    if (output != NULL) {
        fclose(output);
    }
    if (ended == 0 && WIFEXITED(status) && WEXITSTATUS(status) >= 126) {
        compilation->error = arena_format(arena, "cannot run `%s`", command);
        return false;
    }
    return true;
}
