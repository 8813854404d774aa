// The pipeline. Each step runs when the one before it left no error; what it made stays in the
// Compilation.
#include "driver/compile.h"

#include "driver/warnings.h"
#include "lexer/lexer.h"
#include "parser/ast_print.h"
#include "parser/parse.h"
#include "sema/passes.h"
#include "sema/tir_print.h"
#include "sema/tir_verify.h"
#include "support/bug.h"
#include "support/file.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct EmitRow {
    const char *name;
    const char *suffix;
    bool is_text;
    const char *help;
} EmitRow;

static const EmitRow emit_rows[EMIT_KIND_COUNT] = {
#define EMIT(KIND, name, suffix, is_text, help) {name, suffix, is_text, help},
#include "driver/emit.def"
};

static const char *const phase_texts[PHASE_COUNT] = {
#define PHASE(NAME, text) text,
#include "driver/phases.def"
};

const char *emit_name(EmitKind kind) {
    return emit_rows[kind].name;
}

const char *emit_suffix(EmitKind kind) {
    return emit_rows[kind].suffix;
}

bool emit_is_text(EmitKind kind) {
    return emit_rows[kind].is_text;
}

const char *emit_help(EmitKind kind) {
    return emit_rows[kind].help;
}

const char *phase_text(Phase phase) {
    return phase_texts[phase];
}

double clock_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

CompileOptions compile_defaults(void) {
    return (CompileOptions){
        .stage = STAGE_CODEGEN,
        .codegen = {.opt_level = 2, .checks = true},
    };
}

// Closes the phase that began at *start; the next one begins now.
static void phase_end(Compilation *compilation, Phase phase, double *start) {
    double now = clock_seconds();
    compilation->seconds[phase] += now - *start;
    *start = now;
}

static bool add_source(Compilation *compilation, const char *path, const char *text, size_t len) {
    compilation->source = sources_add(compilation->context->sources, path, text, len);
    if (!compilation->source) {
        compilation->error = arena_format(compilation->context->arena,
                                          "`%s` is too large: 2 GiB is the limit", path);
    }
    return compilation->source != NULL;
}

// The files that imports have brought in, by canonical path: each is read and parsed once (L4.5).
typedef struct LoadedFile {
    const char *canonical;
    AstFile *ast;
} LoadedFile;

typedef struct Loader {
    Context *context;
    struct {
        LoadedFile *items;
        size_t count, capacity;
    } files;
} Loader;

static const char *canonical_path(Arena *arena, const char *path) {
    char *resolved = realpath(path, NULL);
    const char *result =
        arena_copy_text(arena, resolved ? resolved : path, strlen(resolved ? resolved : path));
    free(resolved);
    return result;
}

// What stands in for load_import when the compilation is sealed.
static AstFile *refuse_import(void *data, const char *path, const char **error) {
    (void)data;
    (void)path;
    *error = "imports are off";
    return NULL;
}

static AstFile *load_import(void *data, const char *path, const char **error) {
    Loader *loader = data;
    Context *context = loader->context;
    const char *canonical = canonical_path(context->arena, path);
    for (size_t i = 0; i < loader->files.count; i++) {
        if (strcmp(loader->files.items[i].canonical, canonical) == 0) {
            return loader->files.items[i].ast;
        }
    }
    char *text = NULL;
    size_t len = 0;
    if (!file_read(path, &text, &len, error)) {
        return NULL;
    }
    SourceFile *source = sources_add(context->sources, path, text, len);
    free(text);
    if (!source) {
        *error = "too large";
        return NULL;
    }
    LoadedFile loaded = {canonical, parse_file(context, source)};
    LIST_PUSH(context->arena, &loader->files, loaded);
    return loaded.ast;
}

// Only components have names that -D and --with can mean.
static void check_interface_names(Context *context, const TirProgram *program,
                                  const CompileOptions *options) {
    if (program->kind == PROGRAM_COMPONENT) {
        return;
    }
    for (size_t i = 0; i < options->interface_names.count; i++) {
        diag_error(context->diags, DIAG_E0304, (Span){0, 0}, "`%s` has no `%s`", program->path,
                   options->interface_names.items[i]);
    }
}

static void verify(const TirProgram *program) {
    Buffer broken = {0};
    if (!tir_verify(program, &broken)) {
        BUG("the checker made invalid TIR:\n%s", broken.data);
    }
    buffer_free(&broken);
}

static void check(Compilation *compilation, const CompileOptions *options) {
    Context *context = compilation->context;
    Loader loader = {.context = context};
    LoadedFile self = {canonical_path(context->arena, compilation->source->path), compilation->ast};
    LIST_PUSH(context->arena, &loader.files, self);
    CheckOptions check_options = {
        .single = options->single,
        .executable = options->executable,
        .exact_rank = options->exact_rank,
        .load = options->sealed ? refuse_import : load_import,
        .load_data = &loader,
        .uses = options->note_uses ? &compilation->uses : NULL,
    };
    compilation->program = check_program(context, compilation->ast, &check_options);
    if (!compilation->program) {
        return;
    }
    check_interface_names(context, compilation->program, options);
    if (options->verify_tir) {
        verify(compilation->program);
    }
}

static ExitStatus generate(Compilation *compilation, const CompileOptions *options) {
    compilation->module = codegen_build(compilation->context, compilation->program,
                                        &options->codegen, &compilation->error);
    return compilation->module ? EXIT_OK : EXIT_USAGE;
}

static bool has_syntax_error(const DiagList *diags) {
    for (size_t i = 0; i < diags->all.count; i++) {
        DiagCode code = diags->all.items[i]->code;
        if (code == DIAG_E0201 || code == DIAG_E0901) {
            return true;
        }
    }
    return false;
}

// All phases after reading. `start` is when parsing began.
static ExitStatus compile_source(Compilation *compilation, const CompileOptions *options) {
    double start = clock_seconds();
    Context *context = compilation->context;
    if (options->stage == STAGE_READ) {
        return EXIT_OK;
    }
    compilation->ast = parse_file(context, compilation->source);
    phase_end(compilation, PHASE_PARSE, &start);
    // Malformed literals leave the tree whole, and one run shows both kinds of mistakes. What a
    // syntax error swallowed may have declared names: checking would blame their uses.
    if (options->stage >= STAGE_CHECK && !has_syntax_error(context->diags)) {
        check(compilation, options);
        warnings_settle(context, options);
        phase_end(compilation, PHASE_CHECK, &start);
    }
    if (context->diags->error_count > 0) {
        return EXIT_ERRORS;
    }
    if (options->stage >= STAGE_PASSES) {
        TirProgram *program = compilation->program;
        CHECK(program); // without errors there is one
        Tir tir = {
            .arena = context->arena,
            .types = program->types,
            .names = context->names,
            .single = program->single,
            .global_count = (uint32_t)program->globals.count,
        };
        passes_run(&tir, program, options->verify_tir);
        phase_end(compilation, PHASE_PASSES, &start);
    }
    if (options->stage >= STAGE_CODEGEN) {
        ExitStatus status = generate(compilation, options);
        phase_end(compilation, PHASE_CODEGEN, &start);
        return status;
    }
    return EXIT_OK;
}

ExitStatus compile_text(Compilation *compilation, const char *path, const char *text, size_t len,
                        const CompileOptions *options) {
    *compilation = (Compilation){.context = context_create()};
    return add_source(compilation, path, text, len) ? compile_source(compilation, options)
                                                    : EXIT_WORLD;
}

ExitStatus compile_file(Compilation *compilation, const char *path, const CompileOptions *options) {
    *compilation = (Compilation){.context = context_create()};
    double start = clock_seconds();
    char *text = NULL;
    size_t len = 0;
    const char *why = NULL;
    if (!file_read(path, &text, &len, &why)) {
        compilation->error =
            arena_format(compilation->context->arena, "cannot read `%s`: %s", path, why);
        return EXIT_WORLD;
    }
    bool added = add_source(compilation, strcmp(path, "-") == 0 ? "<stdin>" : path, text, len);
    free(text);
    phase_end(compilation, PHASE_READ, &start);
    return added ? compile_source(compilation, options) : EXIT_WORLD;
}

ExitStatus compile_emit(Compilation *compilation, EmitKind kind, Buffer *out) {
    double start = clock_seconds();
    bool done = true;
    switch (kind) {
    case EMIT_TOKENS: lexer_print_tokens(out, compilation->context, compilation->source); break;
    case EMIT_AST: ast_print_file(out, compilation->ast); break;
    case EMIT_TIR: tir_print_program(out, compilation->program); break;
    case EMIT_LLVM:
        done = codegen_emit(compilation->module, CODEGEN_LLVM, out, &compilation->error);
        break;
    case EMIT_ASM:
        done = codegen_emit(compilation->module, CODEGEN_ASM, out, &compilation->error);
        break;
    case EMIT_OBJECT:
        done = codegen_emit(compilation->module, CODEGEN_OBJECT, out, &compilation->error);
        break;
    case EMIT_EXE:
    case EMIT_KIND_COUNT: UNREACHABLE();
    }
    phase_end(compilation, PHASE_EMIT, &start);
    if (!done) {
        return EXIT_WORLD;
    }
    return compilation->context->diags->error_count > 0 ? EXIT_ERRORS : EXIT_OK;
}

void compile_messages(const Compilation *compilation, RenderOptions options, Buffer *out) {
    const Context *context = compilation->context;
    render_diags(out, context->diags, context->sources, options);
}

void compilation_finish(Compilation *compilation) {
    if (compilation->module) {
        codegen_destroy(compilation->module);
    }
    context_destroy(compilation->context);
}
