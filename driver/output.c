// Where output goes: to the file of -o, to a file named after the input, or to standard output. All
// kinds of a run are made first, each in a temporary file beside its place, linked ones and the
// header of an object included; then all of them get their names together (support/staged.h), or
// none does. No output takes the place of a source or of another output.
#include "driver/output.h"

#include "codegen/target/target_name.h"
#include "driver/code.h"
#include "driver/describe/header.h"
#include "driver/emit.h"
#include "driver/fmu/fmu.h"
#include "driver/link.h"
#include "driver/source_files.h"
#include "support/file.h"
#include "support/path.h"
#include "support/staged.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

ExitStatus output_print(const char *data, size_t len, const char **error) {
    if ((len > 0 && fwrite(data, 1, len, stdout) != len) || fflush(stdout) != 0) {
        *error = errno == EPIPE    ? NULL
                 : errno == ENOSPC ? "cannot write to standard output: no space left on device"
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

// `path` with another suffix.
static const char *beside(Arena *arena, const char *path, const char *suffix) {
    return arena_format(arena, "%.*s%s", (int)(path_suffix(path) - path), path, suffix);
}

typedef struct Outputs {
    Compilation *compilation;
    const Options *options;
    LIST_OF(StagedFile) files;   // all of them get their own names together
    LIST_OF(const char *) roles; // what each file is: an option or a kind
    bool has_header;             // beside an object; one is enough for all kinds of them
} Outputs;

// The output that is the same file as `path`, or the count of outputs.
static size_t find_output(const Outputs *outputs, const char *path) {
    size_t i = 0;
    while (i < outputs->files.count && !file_same(outputs->files.items[i].path, path)) {
        i++;
    }
    return i;
}

// An output never takes the place of what it was made from. What that is, or NULL.
static const char *find_origin(const Outputs *outputs, const char *output) {
    const Options *options = outputs->options;
    const char *icon = options->fmu.icon;
    if (source_files_have(outputs->compilation->context->sources, NULL, output)) {
        return "it is a source file";
    }
    if (options->project != NULL && file_same(options->project, output)) {
        return "it holds the options of the project";
    }
    return icon != NULL && file_same(icon, output) ? "it is the file of `--icon`" : NULL;
}

static const char *last_temporary(const Outputs *outputs) {
    return outputs->files.items[outputs->files.count - 1].temporary;
}

// Writes a temporary file that will become `path`.
static ExitStatus stage(Outputs *outputs, const char *role, const Buffer *data, const char *path) {
    Compilation *compilation = outputs->compilation;
    Arena *arena = compilation->context->arena;
    const char *origin = find_origin(outputs, path);
    if (origin != NULL) {
        return fail(compilation, EXIT_USAGE, "cannot write", path, origin);
    }
    size_t other = find_output(outputs, path);
    if (other < outputs->files.count) {
        compilation->error =
            arena_format(arena, "two outputs would be one file: `%s` (%s) and `%s` (%s)",
                         outputs->files.items[other].path, outputs->roles.items[other], path, role);
        return EXIT_USAGE;
    }
    const char *why = NULL;
    StagedFile file;
    if (!staged_create(&file, path, data->data, data->len, &why)) {
        return fail(compilation, EXIT_WORLD, "cannot write", path, why);
    }
    LIST_PUSH(arena, &outputs->files, file);
    LIST_PUSH(arena, &outputs->roles, role);
    return EXIT_OK;
}

static ExitStatus commit_all(Outputs *outputs) {
    const char *why = NULL;
    size_t failed;
    if (staged_commit(outputs->files.items, outputs->files.count, &failed, &why)) {
        return EXIT_OK;
    }
    const char *path = outputs->files.items[failed].path;
    return fail(outputs->compilation, EXIT_WORLD, "cannot write", path, why);
}

// Runs the linker. A shared library of a component gets a second object, which tells hosts of it.
static bool link_file(Outputs *outputs, const char *object_file, const char *linked_file,
                      bool is_shared, const char **why) {
    Compilation *compilation = outputs->compilation;
    Arena *arena = compilation->context->arena;
    LinkOptions link = {.verbose = outputs->options->verbose,
                        .is_shared = is_shared,
                        .is_program = compilation->program->entry != NULL};
    StagedFile models = {0};
    bool done = true;
    bool has_models = compilation->program->kind == PROGRAM_COMPONENT &&
                      codegen_model(compilation->module) != NULL;
    if (has_models && is_shared) {
        Buffer object = {0};
        done = codegen_models(compilation->module, NULL, &object, why) &&
               staged_create(&models, linked_file, object.data, object.len, why);
        buffer_free(&object);
        link.also = models.temporary;
    } else if (!is_shared) {
        link.model = codegen_model(compilation->module);
    }
    double start = clock_seconds();
    done = done && link_object(arena, object_file, linked_file, &link, why);
    compilation->seconds[PHASE_LINK] += clock_seconds() - start;
    if (link.also != NULL) {
        staged_discard(&models);
    }
    return done;
}

// A program calls the runtime, which there is for this machine alone.
static ExitStatus fail_elsewhere(Compilation *compilation, const char *path) {
    bool is_program = compilation->program->entry != NULL;
    const char *why = arena_format(
        compilation->context->arena,
        is_program ? "a script or program runs on this machine only; what %s gets is a component "
                     "or library"
                   : "the runtime of executables is this machine's; for %s compile an object with "
                     "`-c`",
        codegen_triple(compilation->module));
    return fail(compilation, EXIT_USAGE, "cannot make", path, why);
}

// Links an object that stands in memory. The object's file is kept beside `path` when asked.
static ExitStatus stage_linked(Outputs *outputs, EmitKind kind, const Buffer *object,
                               const char *path) {
    Compilation *compilation = outputs->compilation;
    Arena *arena = compilation->context->arena;
    if (kind == EMIT_EXE && !codegen_is_host(compilation->module)) {
        return fail_elsewhere(compilation, path);
    }
    const char *why = NULL;
    // First, so that messages name what was asked for.
    ExitStatus status = stage(outputs, emit_row(kind)->name, &(Buffer){0}, path);
    if (status != EXIT_OK) {
        return status;
    }
    const char *linked_file = last_temporary(outputs);
    const char *kept_path = arena_format(arena, "%s.o", path);
    bool is_kept =
        outputs->options->save_temps && find_output(outputs, kept_path) == outputs->files.count;
    StagedFile dropped = {0};
    if (is_kept) {
        status = stage(outputs, "--save-temps", object, kept_path);
    } else if (!staged_create(&dropped, path, object->data, object->len, &why)) {
        status = fail(compilation, EXIT_WORLD, "cannot write", path, why);
    }
    if (status != EXIT_OK) {
        return status;
    }
    const char *object_file = is_kept ? last_temporary(outputs) : dropped.temporary;
    bool is_shared = kind == EMIT_SHARED;
    bool linked = link_file(outputs, object_file, linked_file, is_shared, &why);
    if (!is_kept) {
        staged_discard(&dropped);
    }
    linked = linked && linked_file_check(linked_file, object, is_shared, &why);
    return linked ? EXIT_OK : fail(compilation, EXIT_WORLD, "cannot make", path, why);
}

static ExitStatus stage_archive(Outputs *outputs, const Buffer *object, const char *path) {
    Compilation *compilation = outputs->compilation;
    Arena *arena = compilation->context->arena;
    const char *member = arena_format(arena, "%s.o", codegen_prefix(compilation->module));
    Buffer archive = {0};
    archive_print(member, object, &archive);
    ExitStatus status = stage(outputs, emit_row(EMIT_ARCHIVE)->name, &archive, path);
    buffer_free(&archive);
    if (status != EXIT_OK) {
        return status;
    }
    const char *why = NULL;
    bool done =
        archive_finish(arena, last_temporary(outputs), object, outputs->options->verbose, &why);
    return done ? EXIT_OK : fail(compilation, EXIT_WORLD, "cannot make", path, why);
}

// As a header, an FMU never takes the place of a file that something else made: it may hold more
// than tmlc puts there.
static ExitStatus stage_fmu(Outputs *outputs, const char *path) {
    Compilation *compilation = outputs->compilation;
    if (!fmu_may_replace(path)) {
        return fail(compilation, EXIT_USAGE, "cannot write", path,
                    "another file than an FMU of tmlc has this name");
    }
    ExitStatus status = stage(outputs, emit_row(EMIT_FMU)->name, &(Buffer){0}, path);
    if (status != EXIT_OK) {
        return status;
    }
    const char *why = NULL;
    status = fmu_make(compilation, outputs->options, path, last_temporary(outputs), &why);
    return status == EXIT_OK ? status : fail(compilation, status, "cannot make", path, why);
}

static ExitStatus stage_kind(Outputs *outputs, EmitKind kind, const char *path) {
    Compilation *compilation = outputs->compilation;
    Buffer data = {0};
    EmitForm form = emit_row(kind)->form;
    if ((form == EMITTED_OBJECT || form == EMITTED_ARCHIVED) &&
        compilation->program->entry != NULL &&
        target_name_is_bare(codegen_triple(compilation->module))) {
        return fail_elsewhere(compilation, path);
    }
    ExitStatus status = emit_kind(compilation, form == EMITTED_TEXT ? kind : EMIT_OBJECT, &data);
    if (status != EXIT_OK) {
        buffer_free(&data);
        return status;
    }
    switch (form) {
    case EMITTED_TEXT:
    case EMITTED_OBJECT: status = stage(outputs, emit_row(kind)->name, &data, path); break;
    case EMITTED_ARCHIVED: status = stage_archive(outputs, &data, path); break;
    case EMITTED_LINKED: status = stage_linked(outputs, kind, &data, path); break;
    case EMITTED_PACKED: status = stage_fmu(outputs, path); break;
    }
    buffer_free(&data);
    return status;
}

static void note_hidden(const char *path) {
    if (header_hides_one_of_c(path)) {
        fprintf(stderr,
                "%s: note: a program for which `-I` names this folder gets it for `#include <%s>`; "
                "`-o NAME.o` gives it another name\n",
                path, path_base(path));
    }
}

// The header beside an object. Nobody has named it, so it never takes the place of a file that
// something else made.
static ExitStatus stage_header(Outputs *outputs, const char *object_path) {
    Compilation *compilation = outputs->compilation;
    if (outputs->has_header || !emit_wants_header(compilation)) {
        return EXIT_OK;
    }
    const char *path =
        beside(compilation->context->arena, object_path, emit_row(EMIT_HEADER)->suffix);
    char *text = NULL;
    size_t len = 0;
    const char *why = NULL;
    struct stat status;
    bool is_regular = stat(path, &status) == 0 && S_ISREG(status.st_mode); // a pipe would wait
    if (is_regular && file_read(path, &text, &len, &why)) {
        bool is_ours = header_is_ours(text);
        free(text);
        if (!is_ours) {
            return fail(compilation, EXIT_USAGE, "cannot write", path,
                        "another file than a header of tmlc has this name");
        }
    }
    outputs->has_header = true;
    note_hidden(path);
    return stage_kind(outputs, EMIT_HEADER, path);
}

static ExitStatus print_kind(Compilation *compilation, EmitKind kind) {
    Buffer data = {0};
    ExitStatus status = emit_kind(compilation, kind, &data);
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

static void print_prerequisite(Buffer *out, const char *path) {
    buffer_text(out, " \\\n  ");
    print_make_name(out, path);
}

// A rule for make: what was written depends on all that was read.
static void print_rule(const Outputs *outputs, Buffer *out) {
    for (size_t i = 0; i < outputs->files.count; i++) {
        buffer_text(out, i == 0 ? "" : " ");
        print_make_name(out, outputs->files.items[i].path);
    }
    buffer_text(out, ":");
    const SourceMap *sources = outputs->compilation->context->sources;
    for (uint32_t i = 0; i < sources_count(sources); i++) {
        if (source_is_file(sources_file(sources, i))) {
            print_prerequisite(out, sources_file(sources, i)->path);
        }
    }
    if (outputs->options->project != NULL) {
        print_prerequisite(out, outputs->options->project);
    }
    if (outputs->options->fmu.icon != NULL) {
        print_prerequisite(out, outputs->options->fmu.icon);
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
    Buffer rule = {0};
    print_rule(outputs, &rule);
    ExitStatus status =
        stage(outputs, options->dependency_file == NULL ? "-MD" : "-MF", &rule, path);
    buffer_free(&rule);
    return status;
}

// Where a kind goes. Sets *path to NULL for standard output; false: there is no name for it.
static bool choose_path(const Outputs *outputs, EmitKind kind, const char **path) {
    const Options *options = outputs->options;
    Arena *arena = outputs->compilation->context->arena;
    bool is_several = (options->emits & (options->emits - 1)) != 0;
    *path = options->output;
    if (options->output != NULL && !is_several) {
        *path = strcmp(options->output, "-") == 0 ? NULL : options->output;
        return true;
    }
    if (emit_row(kind)->form == EMITTED_TEXT && emit_row(kind)->suffix[0] == '\0') {
        return true;
    }
    if (options->output != NULL) {
        *path = beside(arena, options->output, emit_row(kind)->suffix);
        return true;
    }
    const char *input = options->inputs.items[0];
    if (strcmp(input, "-") == 0) {
        outputs->compilation->error = "standard input needs `-o` to name the output";
        return false;
    }
    // The input's name in the current folder, with the kind's suffix in place of its own.
    *path = beside(arena, path_base(input), emit_row(kind)->suffix);
    return true;
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
    bool has_header =
        emit_row(kind)->has_header && (outputs->options->emits & 1U << EMIT_HEADER) == 0;
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
        code_drop(compilation);
        return commit_all(&outputs);
    }
    for (size_t i = 0; i < outputs.files.count; i++) {
        staged_discard(&outputs.files.items[i]);
    }
    return status;
}
