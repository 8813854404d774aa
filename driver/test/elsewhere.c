// See elsewhere.h. The executable is the object, a main in C that the system's C compiler or
// TMLC_CC compiles, and what that links beside them; it has no runtime, so what tests print is
// dropped, and nothing can be read. How tests end are lines that begin with `@tmlc`.
#include "driver/test/elsewhere.h"

#include "codegen/unit/layout.h"
#include "driver/code.h"
#include "driver/command.h"
#include "driver/describe/header.h"

#include <errno.h>
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

static void print_main(const Compilation *compilation, const size_t *which, size_t count,
                       Buffer *out) {
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
                       const size_t *which, size_t count) {
    Arena *arena = compilation->context->arena;
    const char *paths[3];
    for (size_t i = 0; i < 3; i++) {
        paths[i] = arena_format(arena, "%s/%s", run->folder, names[i]);
    }
    bool is_host = codegen_is_host(compilation->module);
    Buffer source = {0}, object = {0};
    print_main(compilation, which, count, &source);
    bool done = codegen_emit(compilation->module, CODEGEN_OBJECT, &object, &compilation->error) &&
                write_file(arena, paths[0], &source, &compilation->error) &&
                write_file(arena, paths[1], &object, &compilation->error);
    buffer_free(&source);
    buffer_free(&object);
    if (!done) {
        return false;
    }
    SystemCommand command = command_create(arena, "compiler", "TMLC_CC", TMLC_DEFAULT_CC);
    const char *words[] = {"-o", paths[2], paths[0], paths[1]};
    for (size_t i = 0; i < 4; i++) {
        command_add(arena, &command, words[i]);
    }
    if (is_host) {
        command_add(arena, &command, "-lm");
    }
    return command_run(arena, &command, options->verbose, &compilation->error);
}

// Reads what the executable says; the test at hand when it ends is left open.
static size_t follow(FILE *output, const TestEvents *events) {
    size_t ended = 0;
    size_t number = 0;
    Buffer printed = {0};
    buffer_text(&printed, "");
    char *line = NULL;
    size_t capacity = 0;
    for (ssize_t len; (len = getline(&line, &capacity, output)) > 0;) {
        int status = 0;
        if (sscanf(line, "@tmlc begin %zu", &number) == 1) {
            printed.len = 0;
            events->begin(events->data, number);
        } else if (sscanf(line, "@tmlc end %d", &status) == 1) {
            buffer_append(&printed, "", 1);
            events->end(events->data, number, status, printed.data);
            ended++;
        } else {
            buffer_append(&printed, line, (size_t)len);
        }
    }
    free(line);
    buffer_free(&printed);
    return ended;
}

bool test_elsewhere(Compilation *compilation, const TestRun *run, const Options *options,
                    const size_t *which, size_t count, const TestEvents *events) {
    Arena *arena = compilation->context->arena;
    bool linked = count == 0 || link_tests(compilation, run, options, which, count);
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
    size_t ended = output == NULL ? 0 : follow(output, events);
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
