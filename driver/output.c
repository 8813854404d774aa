// Where output goes: to the file of -o, to a file named after the input, or to standard output.
#include "driver/output.h"

#include "codegen/layout.h"
#include "driver/archive.h"
#include "driver/header.h"
#include "driver/link.h"
#include "support/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

// --- staging ------------------------------------------------------------------------------------

// A file that is written under a temporary name; all of them get their own names together.
typedef struct Staged {
    const char *path;
    char *temporary;
} Staged;

typedef struct Outputs {
    Compilation *compilation;
    const Options *options;
    struct {
        Staged *items;
        size_t count, capacity;
    } files;
} Outputs;

static void discard_from(Outputs *outputs, size_t first) {
    for (size_t i = first; i < outputs->files.count; i++) {
        file_discard(outputs->files.items[i].temporary);
    }
    outputs->files.count = first;
}

// The name of an empty temporary file that will become `path`, or NULL after an error.
static char *stage(Outputs *outputs, const char *path) {
    const char *why = NULL;
    Staged staged = {.path = path};
    if (!file_stage(path, &staged.temporary, &why)) {
        fail(outputs->compilation, EXIT_WORLD, "cannot write", path, why);
        return NULL;
    }
    LIST_PUSH(outputs->compilation->context->arena, &outputs->files, staged);
    return staged.temporary;
}

static ExitStatus stage_data(Outputs *outputs, const Buffer *data, const char *path) {
    const char *why = NULL;
    char *temporary = stage(outputs, path);
    if (temporary == NULL) {
        return EXIT_WORLD;
    }
    return file_write(temporary, data->data, data->len, TEXT_MODE, &why)
               ? EXIT_OK
               : fail(outputs->compilation, EXIT_WORLD, "cannot write", path, why);
}

// When one of several files cannot get its name, those before it lose theirs again.
static ExitStatus commit_all(Outputs *outputs) {
    for (size_t i = 0; i < outputs->files.count; i++) {
        const Staged *file = &outputs->files.items[i];
        const char *why = NULL;
        if (file_commit(file->temporary, file->path, &why)) {
            continue;
        }
        discard_from(outputs, i + 1);
        for (size_t k = 0; k < i; k++) {
            unlink(outputs->files.items[k].path);
        }
        return fail(outputs->compilation, EXIT_WORLD, "cannot write", file->path, why);
    }
    return EXIT_OK;
}

// --- the kinds ----------------------------------------------------------------------------------

// Links an object that stands in memory. The object's file is kept beside `path` when asked.
static ExitStatus stage_linked(Outputs *outputs, EmitKind kind, const Buffer *object,
                               const char *path) {
    Compilation *compilation = outputs->compilation;
    Arena *arena = compilation->context->arena;
    if (kind == EMIT_EXE && !codegen_is_host(compilation->module)) {
        const char *why = arena_format(arena,
                                       "the runtime of executables is this machine's; for %s "
                                       "compile an object with `-c`",
                                       codegen_triple(compilation->module));
        return fail(compilation, EXIT_USAGE, "cannot make", path, why);
    }
    bool is_kept = outputs->options->save_temps;
    // First, so that messages name what was asked for.
    char *linked_file = stage(outputs, path);
    if (linked_file == NULL) {
        return EXIT_WORLD;
    }
    ExitStatus status = stage_data(outputs, object, arena_format(arena, "%s.o", path));
    if (status != EXIT_OK) {
        return status;
    }
    char *object_file = outputs->files.items[outputs->files.count - 1].temporary;
    LinkOptions link = {.verbose = outputs->options->verbose};
    if (kind == EMIT_SHARED) {
        link.is_shared = true;
    } else if (compilation->program->kind == PROGRAM_COMPONENT) {
        link.model = layout_prefix(arena, compilation->program->path);
    }
    const char *why = NULL;
    double start = clock_seconds();
    bool linked = link_object(arena, object_file, linked_file, &link, &why);
    compilation->seconds[PHASE_LINK] += clock_seconds() - start;
    if (!is_kept) {
        file_discard(object_file);
        outputs->files.count--;
    }
    return linked ? EXIT_OK : fail(compilation, EXIT_WORLD, "cannot make", path, why);
}

static ExitStatus stage_archive(Outputs *outputs, const Buffer *object, const char *path) {
    Compilation *compilation = outputs->compilation;
    Arena *arena = compilation->context->arena;
    const char *member =
        arena_format(arena, "%s.o", layout_prefix(arena, compilation->program->path));
    Buffer archive = {0};
    archive_print(member, object, &archive);
    ExitStatus status = stage_data(outputs, &archive, path);
    buffer_free(&archive);
    if (status != EXIT_OK) {
        return status;
    }
    const char *why = NULL;
    char *file = outputs->files.items[outputs->files.count - 1].temporary;
    return archive_index(arena, file, outputs->options->verbose, &why)
               ? EXIT_OK
               : fail(compilation, EXIT_WORLD, "cannot make", path, why);
}

static bool is_object_kind(EmitKind kind) {
    return kind == EMIT_OBJECT || kind == EMIT_ARCHIVE || kind == EMIT_SHARED || kind == EMIT_EXE;
}

static ExitStatus stage_kind(Outputs *outputs, EmitKind kind, const char *path) {
    Compilation *compilation = outputs->compilation;
    if (is_source(compilation->context->sources, path)) {
        return fail(compilation, EXIT_USAGE, "cannot write", path, "it is a source file");
    }
    Buffer data = {0};
    ExitStatus status = compile_emit(compilation, is_object_kind(kind) ? EMIT_OBJECT : kind, &data);
    if (status != EXIT_OK) {
        buffer_free(&data);
        return status;
    }
    if (kind == EMIT_EXE || kind == EMIT_SHARED) {
        status = stage_linked(outputs, kind, &data, path);
    } else if (kind == EMIT_ARCHIVE) {
        status = stage_archive(outputs, &data, path);
    } else {
        status = stage_data(outputs, &data, path);
    }
    buffer_free(&data);
    return status;
}

// `path` with another suffix.
static const char *beside(Arena *arena, const char *path, const char *suffix) {
    const char *slash = strrchr(path, '/');
    const char *base = slash == NULL ? path : slash + 1;
    const char *dot = strrchr(base, '.');
    int len = (int)(dot != NULL && dot != base ? (size_t)(dot - path) : strlen(path));
    return arena_format(arena, "%.*s%s", len, path, suffix);
}

// The header beside an object. Nobody has named it, so it never takes the place of a file that
// something else made.
static ExitStatus stage_header(Outputs *outputs, const char *object_path) {
    Compilation *compilation = outputs->compilation;
    if (!compile_has_header(compilation)) {
        return EXIT_OK;
    }
    const char *path = beside(compilation->context->arena, object_path, emit_suffix(EMIT_HEADER));
    for (size_t i = 0; i < outputs->files.count; i++) {
        if (strcmp(outputs->files.items[i].path, path) == 0) {
            return EXIT_OK; // that of another kind of object
        }
    }
    char *text = NULL;
    size_t len = 0;
    const char *why = NULL;
    if (file_read(path, &text, &len, &why)) {
        bool is_ours = header_is_ours(text);
        free(text);
        if (!is_ours) {
            return fail(compilation, EXIT_USAGE, "cannot write", path,
                        "another file than a header of tmlc has this name");
        }
    }
    return stage_kind(outputs, EMIT_HEADER, path);
}

static ExitStatus print_kind(Compilation *compilation, EmitKind kind) {
    Buffer data = {0};
    ExitStatus status = compile_emit(compilation, kind, &data);
    if (status == EXIT_OK) {
        status = output_print(data.data, data.len, &compilation->error);
    }
    buffer_free(&data);
    return status;
}

// Blanks and what make has a meaning for.
static void print_make_name(Buffer *out, const char *name) {
    for (const char *at = name; *at != '\0'; at++) {
        buffer_text(out, *at == '$' ? "$" : strchr(" \t#\\", *at) != NULL ? "\\" : "");
        buffer_append(out, at, 1);
    }
}

// A rule for make: what was written depends on all that was read. Texts of options are no files.
static void print_rule(const Outputs *outputs, Buffer *out) {
    for (size_t i = 0; i < outputs->files.count; i++) {
        buffer_text(out, i == 0 ? "" : " ");
        print_make_name(out, outputs->files.items[i].path);
    }
    buffer_text(out, ":");
    const SourceMap *sources = outputs->compilation->context->sources;
    for (uint32_t i = 0; i < sources_count(sources); i++) {
        const char *path = sources_file(sources, i)->path;
        bool is_file =
            strcmp(path, "<stdin>") != 0 && strcmp(path, "-D") != 0 && strcmp(path, "--with") != 0;
        if (is_file) {
            buffer_text(out, " \\\n  ");
            print_make_name(out, path);
        }
    }
    buffer_text(out, "\n");
}

static ExitStatus stage_rule(Outputs *outputs) {
    const Options *options = outputs->options;
    Compilation *compilation = outputs->compilation;
    if (!options->dependencies) {
        return EXIT_OK;
    }
    if (outputs->files.count == 0) {
        compilation->error = "`-MD` and `-MF` need an output that is a file";
        return EXIT_USAGE;
    }
    const char *path = options->dependency_file;
    if (path == NULL) {
        path = beside(compilation->context->arena, outputs->files.items[0].path, ".d");
    }
    if (is_source(compilation->context->sources, path)) {
        return fail(compilation, EXIT_USAGE, "cannot write", path, "it is a source file");
    }
    Buffer rule = {0};
    print_rule(outputs, &rule);
    ExitStatus status = stage_data(outputs, &rule, path);
    buffer_free(&rule);
    return status;
}

// Where a kind goes. Sets *path to NULL for standard output; false: there is no name for it.
static bool choose_path(const Outputs *outputs, EmitKind kind, const char **path) {
    const Options *options = outputs->options;
    *path = options->output;
    if (options->output != NULL) {
        *path = strcmp(options->output, "-") == 0 ? NULL : options->output;
        return true;
    }
    if (emit_is_text(kind) && emit_suffix(kind)[0] == '\0') {
        return true;
    }
    *path = derived_name(outputs->compilation->context->arena, options->inputs.items[0], kind);
    if (*path == NULL) {
        outputs->compilation->error = "standard input needs `-o` to name the output";
    }
    return *path != NULL;
}

static ExitStatus make_kind(Outputs *outputs, EmitKind kind) {
    const char *path;
    if (!choose_path(outputs, kind, &path)) {
        return EXIT_USAGE;
    }
    if (path == NULL) {
        return print_kind(outputs->compilation, kind);
    }
    ExitStatus status = stage_kind(outputs, kind, path);
    bool has_header = is_object_kind(kind) && kind != EMIT_EXE &&
                      (outputs->options->emits & 1U << EMIT_HEADER) == 0;
    return status == EXIT_OK && has_header ? stage_header(outputs, path) : status;
}

ExitStatus output_write(Compilation *compilation, const Options *options) {
    Outputs outputs = {.compilation = compilation, .options = options};
    ExitStatus status = EXIT_OK;
    for (int kind = 0; kind < EMIT_KIND_COUNT && status == EXIT_OK; kind++) {
        if (options->emits & 1U << kind) {
            status = make_kind(&outputs, (EmitKind)kind);
        }
    }
    if (status == EXIT_OK) {
        status = stage_rule(&outputs);
    }
    if (status == EXIT_OK) {
        return commit_all(&outputs);
    }
    discard_from(&outputs, 0);
    return status;
}
