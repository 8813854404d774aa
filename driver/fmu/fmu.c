// See fmu.h. The model is compiled once for each target; the functions of FMI are an archive beside
// the runtime for this machine, and compiled with the C compiler of any other. The description is
// made of the first compilation: names and types do not depend on the machine.
#include "driver/fmu/fmu.h"

#include "codegen/unit/layout.h"
#include "driver/code.h"
#include "driver/fmu/description.h"
#include "driver/fmu/platform.h"
#include "driver/fmu/sources.h"
#include "driver/fmu/zip.h"
#include "driver/link.h"
#include "support/bug.h"
#include "support/file.h"
#include "support/hash.h"
#include "support/staged.h"
#include "tir/visit.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Work {
    Compilation *compilation;
    const Options *options;
    Arena *arena;
    const char *path;
    FmuModel model;
    Buffer code;  // model.c
    Buffer notes; // for people, a line each
    FmuPlatforms platforms;
    LIST_OF(ZipFile) files;
    const char **error;
} Work;

bool fmu_may_replace(const char *path) {
    return access(path, F_OK) != 0 ||
           zip_has_text(path, "modelDescription.xml", "generationTool=\"" FMU_TOOL);
}

static void add_file(Work *work, const char *name, Buffer data) {
    LIST_PUSH(work->arena, &work->files, ((ZipFile){name, data}));
}

__attribute__((format(printf, 2, 3))) static void note(Work *work, const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    buffer_format(&work->notes, "%s: note: %s\n", work->compilation->source->path, text);
}

static void note_left_out(Work *work) {
    const TirProgram *program = work->compilation->program;
    for (size_t i = 0; i < program->interface.count; i++) {
        const TirInterface *item = program->interface.items[i];
        if (!item->is_present) {
            note(work, "the FMU has no `t.%s`, which is optional; `--with t.%s` connects it",
                 item->name->text, item->name->text);
        }
    }
}

// What goes, and how it is called.

static const char *kind_fault(const TirProgram *program) {
    switch (program->kind) {
    case PROGRAM_SCRIPT:
    case PROGRAM_MAIN:
        return "an FMU is made of a component, which has terminals and is stepped by others; this "
               "file "
               "is a program, which runs by itself";
    case PROGRAM_LIBRARY:
        return "an FMU is made of a component, which has terminals and is stepped by others; this "
               "file "
               "is a library of functions";
    case PROGRAM_COMPONENT: return NULL;
    }
    UNREACHABLE();
}

// The decimal that is meant by a single: 0.1, not the single next to it, as executables have it
// (runtime/run/step_time.c).
static double meant_by(double single) {
    char text[32];
    for (int digits = 6; digits <= 9; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, single);
        if ((double)strtof(text, NULL) == single) {
            return strtod(text, NULL);
        }
    }
    return single;
}

// `n.dt`, or else `p.dt`; false: there is neither.
static bool constant_step(const TirProgram *program, double *seconds) {
    const TirInterface *item = tir_step_time(program, 'n');
    item = item != NULL ? item : tir_step_time(program, 'p');
    if (item != NULL) {
        double value = item->value->data[0].real;
        *seconds = program->single ? meant_by(value) : value;
    }
    return item != NULL;
}

static bool choose_step(Work *work) {
    double constant;
    bool has_constant = constant_step(work->compilation->program, &constant);
    work->model.step = work->options->fmu.step;
    if (work->model.step > 0) {
        if (has_constant && constant != work->model.step) {
            note(work, "`--step=%g` is not the source's `dt`, which is %g", work->model.step,
                 constant);
        }
        return true;
    }
    if (!has_constant) {
        *work->error =
            "how long a step takes is not known; give it with `--step=SECONDS`, or in the "
            "source as `real n.dt = SECONDS`";
        return false;
    }
    if (!(constant > 0) || !isfinite(constant)) {
        *work->error = arena_format(
            work->arena, "a step cannot take %g seconds, as the source's `dt` says", constant);
        return false;
    }
    work->model.step = constant;
    return true;
}

// Of all that the description says and of the layout, so that no library takes the description of
// another model. What is without a place in the structs moves value references, too.
static const char *token_of(Work *work) {
    uint64_t hash = layout_hash(work->arena, work->compilation->program);
    Buffer text = {0};
    work->model.token = "";
    fmu_print_description(work->arena, &work->model, &text);
    hash = hash_bytes(hash, text.data, text.len);
    buffer_free(&text);
    return arena_format(work->arena, "{tml-%016" PRIx64 "}", hash);
}

static ExitStatus describe(Work *work) {
    const TirProgram *program = work->compilation->program;
    *work->error = kind_fault(program);
    if (*work->error != NULL || !choose_step(work)) {
        return EXIT_USAGE;
    }
    const FmuOptions *options = &work->options->fmu;
    FmuModel *model = &work->model;
    model->identifier = codegen_prefix(work->compilation->module);
    model->version = options->version;
    model->rows = model_rows(work->arena, program);
    model->is_single = program->single;
    model->has_locals = !options->no_locals;
    model->has_sources = options->sources;
    *work->error = fmu_unwritable(work->arena, model);
    if (*work->error != NULL) {
        return EXIT_USAGE;
    }
    model->token = token_of(work);
    note_left_out(work);
    return EXIT_OK;
}

// Binaries.

// Makes a shared library of an object file and the functions of FMI, in `library`.
static bool link_library(Work *work, Compilation *compilation, const FmuPlatform *platform,
                         const char *object, const char *functions, const char *library) {
    const LinkOptions link = {
        .verbose = work->options->verbose,
        .is_shared = true,
        .also = functions,
        .fmi = {.version = (unsigned)work->model.version,
                .is_source = !codegen_is_host(compilation->module),
                .table = fmu_table_symbol(work->arena, &work->model),
                .model = codegen_model(compilation->module),
                .variable = platform->variable,
                .compiler = platform->compiler},
    };
    double start = clock_seconds();
    bool done = link_object(work->arena, object, library, &link, work->error);
    work->compilation->seconds[PHASE_LINK] += clock_seconds() - start;
    return done;
}

// What is linked with the model: an object with what the archive wants to know, or all in C.
static bool print_functions(Work *work, Compilation *compilation, Buffer *out) {
    if (codegen_is_host(compilation->module)) {
        const CodegenFmi fmi = {work->model.step, work->model.token};
        return codegen_models(compilation->module, &fmi, out, work->error);
    }
    fmu_print_functions(work->arena, &work->model, out);
    return true;
}

static bool read_whole(const char *path, Buffer *out, const char **error) {
    char *data;
    size_t len;
    if (!file_read(path, &data, &len, error)) {
        return false;
    }
    buffer_append(out, data, len);
    free(data);
    return true;
}

static bool make_library(Work *work, Compilation *compilation, const FmuPlatform *platform,
                         Buffer *out) {
    enum { OBJECT, FUNCTIONS, LIBRARY, COUNT };
    Buffer data[COUNT] = {0};
    StagedFile files[COUNT] = {0};
    bool done = codegen_emit(compilation->module, CODEGEN_OBJECT, &data[OBJECT], work->error) &&
                print_functions(work, compilation, &data[FUNCTIONS]);
    size_t staged = 0;
    for (; done && staged < COUNT; staged += done) {
        done = staged_create(&files[staged], work->path, data[staged].data, data[staged].len,
                             work->error);
    }
    done = done &&
           link_library(work, compilation, platform, files[OBJECT].temporary,
                        files[FUNCTIONS].temporary, files[LIBRARY].temporary) &&
           linked_file_check(files[LIBRARY].temporary, &data[OBJECT], true, work->error) &&
           read_whole(files[LIBRARY].temporary, out, work->error);
    for (size_t i = 0; i < COUNT; i++) {
        buffer_free(&data[i]);
        if (i < staged) {
            staged_discard(&files[i]);
        }
    }
    return done;
}

static ExitStatus add_binary(Work *work, Compilation *compilation) {
    const char *triple = codegen_triple(compilation->module);
    const FmuPlatform *platform = fmu_platform(triple);
    if (platform == NULL) {
        *work->error = arena_format(work->arena, "FMUs are made for %s, not for %s",
                                    fmu_platform_names(), triple);
        return EXIT_USAGE;
    }
    const char *name =
        arena_format(work->arena, "binaries/%s/%s.so", platform->folders[work->model.version - 2],
                     work->model.identifier);
    for (size_t i = 0; i < work->files.count; i++) {
        if (strcmp(work->files.items[i].name, name) == 0) {
            *work->error = arena_format(work->arena, "two targets are one: %s", triple);
            return EXIT_USAGE;
        }
    }
    LIST_PUSH(work->arena, &work->platforms, platform);
    Buffer library = {0}, assembly = {0};
    bool done = make_library(work, compilation, platform, &library);
    add_file(work, name, library);
    if (done && work->model.has_sources) {
        codegen_strip(compilation->module); // not every assembler knows its directives
        done = codegen_emit(compilation->module, CODEGEN_ASM, &assembly, work->error);
        fmu_add_code(&work->model, platform, &assembly, codegen_model(compilation->module),
                     &work->code);
        buffer_free(&assembly);
    }
    return done ? EXIT_OK : EXIT_WORLD;
}

// The same source for another machine.
static ExitStatus add_target(Work *work, const TargetChoice *target) {
    CompileOptions options = work->options->compile;
    options.codegen.target = target->triple;
    options.codegen.cpu = target->cpu;
    const SourceFile *source = work->compilation->source;
    Compilation other;
    ExitStatus status = compile_text(&other, source->path, source->text, source->len, &options);
    if (status == EXIT_OK) {
        status = code_make(&other, &options);
    }
    if (status == EXIT_OK) {
        status = add_binary(work, &other);
    } else {
        *work->error = other.error == NULL
                           ? arena_format(work->arena, "it does not compile for %s", target->triple)
                           : arena_format(work->arena, "%s", other.error);
    }
    code_drop(&other);
    compilation_finish(&other);
    return status;
}

// The rest of the archive.

static void add_sources(Work *work) {
    fmu_finish_code(&work->code);
    Buffer functions = {0}, build = {0};
    fmu_print_prefix(&work->model, &functions);
    fmu_print_functions(work->arena, &work->model, &functions);
    if (work->model.version == 3) {
        fmu_print_build(&work->model, &work->platforms, &build);
        add_file(work, "sources/buildDescription.xml", build);
    }
    add_file(work, "sources/fmu.c", functions);
    add_file(work, "sources/model.c", work->code);
    work->code = (Buffer){0};
}

static ExitStatus add_icon(Work *work) {
    static const char png[] = "\x89PNG\r\n\x1a\n";
    const char *path = work->options->fmu.icon;
    const char *why = NULL;
    Buffer icon = {0}, place = {0};
    if (path == NULL) {
        return EXIT_OK;
    }
    if (!read_whole(path, &icon, &why)) {
        *work->error = arena_format(work->arena, "cannot read `%s`: %s", path, why);
        return EXIT_USAGE;
    }
    bool is_new = work->model.version == 3;
    add_file(work, is_new ? "terminalsAndIcons/icon.png" : "model.png", icon);
    if (icon.len < strlen(png) || memcmp(icon.data, png, strlen(png)) != 0) {
        *work->error = arena_format(work->arena, "the icon `%s` is no PNG image", path);
        return EXIT_USAGE;
    }
    if (is_new) {
        fmu_print_icon(&place);
        add_file(work, "terminalsAndIcons/terminalsAndIcons.xml", place);
    }
    return EXIT_OK;
}

static ExitStatus fill(Work *work) {
    ExitStatus status = describe(work);
    if (status != EXIT_OK) {
        return status;
    }
    Buffer description = {0};
    fmu_print_description(work->arena, &work->model, &description);
    add_file(work, "modelDescription.xml", description);
    fmu_begin_code(&work->code);
    status = add_binary(work, work->compilation);
    const TargetChoices *targets = &work->options->targets;
    for (size_t i = 1; i < targets->count && status == EXIT_OK; i++) {
        status = add_target(work, &targets->items[i]);
    }
    if (status == EXIT_OK && work->model.has_sources) {
        add_sources(work);
    }
    return status == EXIT_OK ? add_icon(work) : status;
}

ExitStatus fmu_make(Compilation *compilation, const Options *options, const char *path,
                    const char *archive, const char **error) {
    Work work = {.compilation = compilation,
                 .options = options,
                 .arena = compilation->context->arena,
                 .path = path,
                 .error = error};
    ExitStatus status = fill(&work);
    if (status == EXIT_OK && !zip_write(archive, work.files.items, work.files.count, error)) {
        status = EXIT_WORLD;
    }
    for (size_t i = 0; i < work.files.count; i++) {
        buffer_free(&work.files.items[i].data);
    }
    if (status == EXIT_OK && work.notes.len > 0) {
        fwrite(work.notes.data, 1, work.notes.len, stderr);
    }
    buffer_free(&work.code);
    buffer_free(&work.notes);
    return status;
}
