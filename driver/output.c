// Where output goes: to the file of -o, to a file named after the input, or to standard output.
#include "driver/output.h"

#include "driver/link.h"
#include "support/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { TEXT_MODE = 0666 };

ExitStatus output_print(const char *data, size_t len, const char **error) {
    if ((len > 0 && fwrite(data, 1, len, stdout) != len) || fflush(stdout) != 0) {
        *error = errno == ENOSPC  ? "cannot write to standard output: no space left on device"
                 : errno == EPIPE ? "cannot write to standard output: the pipe is closed"
                                  : "cannot write to standard output";
        return EXIT_WORLD;
    }
    return EXIT_OK;
}

// Usage errors and failures of the world end up here.
static ExitStatus fail(Compilation *compilation, ExitStatus status, const char *what,
                       const char *path, const char *why) {
    compilation->error = arena_format(compilation->context->arena, "%s `%s`: %s", what, path, why);
    return status;
}

// The input's name in the current folder, with the kind's suffix in place of its own. NULL when
// there is none to derive (standard input).
static const char *derived_name(Arena *arena, const char *input, EmitKind kind) {
    if (strcmp(input, "-") == 0) {
        return NULL;
    }
    const char *slash = strrchr(input, '/');
    const char *base = slash ? slash + 1 : input;
    const char *dot = strrchr(base, '.');
    int len = (int)(dot && dot != base ? (size_t)(dot - base) : strlen(base));
    return arena_format(arena, "%.*s%s", len, base, emit_suffix(kind));
}

// An output never takes the place of one of its own sources.
static bool is_source(const SourceMap *sources, const char *output) {
    struct stat wanted;
    if (stat(output, &wanted) != 0) {
        return false;
    }
    for (uint32_t i = 0; i < sources_count(sources); i++) {
        struct stat source;
        if (stat(sources_file(sources, i)->path, &source) == 0 && source.st_dev == wanted.st_dev &&
            source.st_ino == wanted.st_ino) {
            return true;
        }
    }
    return false;
}

// Links an object that stands in memory. The object's file is kept beside `output` when asked.
static ExitStatus write_executable(Compilation *compilation, const Options *options,
                                   const Buffer *object, const char *output) {
    Arena *arena = compilation->context->arena;
    const char *kept = arena_format(arena, "%s.o", output);
    const char *why = NULL;
    char *object_file = NULL;
    char *program_file = NULL;
    if (!file_stage(kept, &object_file, &why)) {
        return fail(compilation, EXIT_WORLD, "cannot write", output, why);
    }
    if (!file_write(object_file, object->data, object->len, TEXT_MODE, &why) ||
        !file_stage(output, &program_file, &why)) {
        file_discard(object_file);
        return fail(compilation, EXIT_WORLD, "cannot write", output, why);
    }
    double start = clock_seconds();
    bool linked = link_program(arena, object_file, program_file, options->verbose, &why);
    compilation->seconds[PHASE_LINK] += clock_seconds() - start;
    const char *unsaved = NULL;
    if (!options->save_temps) {
        file_discard(object_file);
    } else if (!file_commit(object_file, kept, &unsaved)) {
        file_discard(program_file);
        return fail(compilation, EXIT_WORLD, "cannot write", kept, unsaved);
    }
    if (!linked) {
        file_discard(program_file);
        return fail(compilation, EXIT_WORLD, "cannot make", output, why);
    }
    return file_commit(program_file, output, &why)
               ? EXIT_OK
               : fail(compilation, EXIT_WORLD, "cannot write", output, why);
}

static ExitStatus write_file(Compilation *compilation, const Options *options, EmitKind kind,
                             const Buffer *data, const char *path) {
    if (is_source(compilation->context->sources, path)) {
        return fail(compilation, EXIT_USAGE, "cannot write", path, "it is a source file");
    }
    if (kind == EMIT_EXE) {
        return write_executable(compilation, options, data, path);
    }
    const char *why = NULL;
    return file_write(path, data->data, data->len, TEXT_MODE, &why)
               ? EXIT_OK
               : fail(compilation, EXIT_WORLD, "cannot write", path, why);
}

static ExitStatus write_kind(Compilation *compilation, const Options *options, EmitKind kind) {
    Arena *arena = compilation->context->arena;
    bool to_stdout = options->output ? strcmp(options->output, "-") == 0
                                     : emit_is_text(kind) && emit_suffix(kind)[0] == '\0';
    const char *path = options->output;
    if (!path && !to_stdout) {
        path = derived_name(arena, options->inputs.items[0], kind);
        if (!path) {
            compilation->error = "standard input needs `-o` to name the output";
            return EXIT_USAGE;
        }
    }
    Buffer data = {0};
    ExitStatus status = compile_emit(compilation, kind == EMIT_EXE ? EMIT_OBJECT : kind, &data);
    if (status == EXIT_OK) {
        status = to_stdout ? output_print(data.data, data.len, &compilation->error)
                           : write_file(compilation, options, kind, &data, path);
    }
    buffer_free(&data);
    return status;
}

ExitStatus output_write(Compilation *compilation, const Options *options) {
    for (int kind = 0; kind < EMIT_KIND_COUNT; kind++) {
        if (options->emits & 1U << kind) {
            ExitStatus status = write_kind(compilation, options, (EmitKind)kind);
            if (status != EXIT_OK) {
                return status;
            }
        }
    }
    return EXIT_OK;
}
