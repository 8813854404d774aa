// The pipeline. Each step runs when the one before it left no error; what it made stays in the
// Compilation.
#include "driver/compile.h"

#include "codegen/target/target_name.h"
#include "parser/parse.h"
#include "sema/component/infer_rounds.h"
#include "sema/library/library.h"
#include "support/bug.h"
#include "support/file.h"
#include "tir/linear/linear.h"
#include "tir/passes/passes.h"
#include "tir/verify.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *const phase_texts[PHASE_COUNT] = {
#define PHASE(NAME, text) text,
#include "driver/phases.def"
#include "tir/build.h"
};

const char *phase_text(Phase phase) {
    return phase_texts[phase];
}

double clock_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

CompileOptions compile_defaults(void) {
    CompileOptions options = {
        .stage = STAGE_CODEGEN,
        .front = front_defaults(),
        .codegen = {.opt_level = 2, .checks = true},
    };
    return options;
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

// What stands in for front_load when the compilation is sealed.
static AstFile *refuse_import(void *data, const char *path, const char **error) {
    (void)data;
    (void)path;
    *error = "imports are off";
    return NULL;
}

static void verify(const TirProgram *program) {
    Buffer broken = {0};
    if (!tir_verify(program, &broken)) {
        BUG("the checker made invalid TIR:\n%s", broken.data);
    }
    buffer_free(&broken);
}

static ExitStatus check(Compilation *compilation, const CompileOptions *options) {
    Context *context = compilation->context;
    CheckOptions check_options = {
        .vectors = target_name_has_vectors(options->codegen.target),
        .executable = options->executable,
        .prompt = options->prompt,
        .debug_signals = options->debug_signals,
        .linearize = options->linearize,
        .tests = options->tests,
        .load = options->sealed ? refuse_import : front_load,
        .load_data = context,
        .identify = options->sealed ? NULL : front_identify,
        .notes = options->notes ? &compilation->notes : NULL,
    };
    if (!front_prepare(context, &options->front, &check_options, &compilation->error)) {
        return EXIT_WORLD;
    }
    if (options->infer) {
        infer_interface(context, compilation->ast, &check_options, &compilation->interface);
        warnings_settle(context, &options->front.warnings);
        return EXIT_OK;
    }
    TirProgram *program = front_check(context, compilation->ast, &options->front, &check_options);
    compilation->program = program;
    if (program != NULL && options->verify_tir) {
        for (size_t i = 0; i < program->components.count; i++) {
            verify(program->components.items[i]);
        }
        verify(program);
    }
    return EXIT_OK;
}

// What a loop may keep for a derivative (L17.10).
static uint64_t tape_of(const CodegenOptions *options) {
    enum { BARE_TAPE = 16 << 10 };
    return options->tape == 0 && target_name_is_bare(options->target) ? BARE_TAPE : options->tape;
}

// False after an error.
static bool linearize(Compilation *compilation, Tir *tir) {
    if (compilation->program->kind != PROGRAM_COMPONENT) {
        compilation->error = "only components can be linearized: this file has no steps";
        return false;
    }
    tir_linearize(tir, compilation->program);
    return compilation->context->diags->error_count == 0;
}

// The passes that gain nothing for what is asked, or only speed where code is to be short.
static uint64_t passes_left_out(const CodegenOptions *codegen) {
    uint64_t left_out = 0;
    if (codegen->size != SIZE_ANY) {
        left_out |= pass_bit(PASS_stages) | pass_bit(PASS_strips) | pass_bit(PASS_phases) |
                    pass_bit(PASS_edges) | pass_bit(PASS_unroll) | pass_bit(PASS_even) |
                    pass_bit(PASS_places) | pass_bit(PASS_guard);
    }
    if (codegen->fp == FP_FAST) { // sums need not wait
        left_out |= pass_bit(PASS_even);
    }
    if (!codegen->checks) {
        left_out |= pass_bit(PASS_guard);
    }
    if (!target_name_has_vectors(codegen->target)) {
        left_out |= pass_bit(PASS_batch) | pass_bit(PASS_even);
    }
    return left_out;
}

static ExitStatus run_passes(Compilation *compilation, const CompileOptions *options) {
    Context *context = compilation->context;
    const CodegenOptions *codegen = &options->codegen;
    TirProgram *program = compilation->program;
    CHECK(program); // without errors there is one
    bool has_vectors = target_name_has_vectors(codegen->target);
    Tir tir = {
        .arena = context->arena,
        .types = program->types,
        .names = context->names,
        .single = program->single,
        .global_count = (uint32_t)program->globals.count,
        .remarks = options->remarks ? &compilation->remarks : NULL,
        .diags = context->diags,
        .derivation = codegen->derivation,
        .tape = tape_of(codegen),
        .is_bare = target_name_is_bare(codegen->target),
        .is_small = codegen->size != SIZE_ANY,
        .lanes = !has_vectors      ? 0
                 : program->single ? 8
                                   : 4,
        .is_batched = has_vectors && codegen->batch > 0,
    };
    if (options->linearize && !linearize(compilation, &tir)) {
        return context->diags->error_count > 0 ? EXIT_ERRORS : EXIT_USAGE;
    }
    PassOptions passes = options->passes;
    passes.last = options->stage == STAGE_DERIVE ? PASS_derive + 1 : passes.last;
    passes.opt_level = codegen->opt_level;
    passes.verify = options->verify_tir;
    passes.left_out |= passes_left_out(codegen);
    passes_run(&tir, program, &passes);
    warnings_settle(context, &options->front.warnings);
    return context->diags->error_count > 0 ? EXIT_ERRORS : EXIT_OK;
}

// All phases after reading.
static ExitStatus compile_source(Compilation *compilation, const CompileOptions *options) {
    double start = clock_seconds();
    Context *context = compilation->context;
    compilation->codegen = options->codegen;
    if (options->stage == STAGE_READ) {
        return EXIT_OK;
    }
    compilation->ast = parse_file(context, compilation->source);
    phase_end(compilation, PHASE_PARSE, &start);
    if (options->stage >= STAGE_CHECK && front_is_whole(context->diags)) {
        ExitStatus status = check(compilation, options);
        if (status != EXIT_OK) {
            return status;
        }
        phase_end(compilation, PHASE_CHECK, &start);
    }
    if (context->diags->error_count > 0) {
        return EXIT_ERRORS;
    }
    if (options->stage >= STAGE_DERIVE) {
        ExitStatus status = run_passes(compilation, options);
        if (status != EXIT_OK) {
            return status;
        }
        phase_end(compilation, PHASE_PASSES, &start);
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

static int by_place(const void *a, const void *b) {
    const TirRemark *x = a;
    const TirRemark *y = b;
    return (x->span.start > y->span.start) - (x->span.start < y->span.start);
}

// Whether one of those before says the same: of one statement passes see several copies.
static bool is_repeated(const TirRemark *remarks, size_t i) {
    const TirRemark *remark = &remarks[i];
    for (size_t k = 0; k < i; k++) {
        const TirRemark *other = remark - k - 1;
        if (other->span.start != remark->span.start) {
            return false;
        }
        if (other->other.start == remark->other.start && strcmp(other->pass, remark->pass) == 0 &&
            strcmp(other->text, remark->text) == 0) {
            return true;
        }
    }
    return false;
}

void compile_remarks(const Compilation *compilation, Buffer *out) {
    size_t count = compilation->remarks.list.count;
    TirRemark *remarks = compilation->remarks.list.items;
    if (count == 0) {
        return;
    }
    qsort(remarks, count, sizeof(*remarks), by_place);
    for (size_t i = 0; i < count; i++) {
        const SourceMap *sources = compilation->context->sources;
        SourcePlace place = sources_place(sources, remarks[i].span.start);
        if (place.file == NULL || library_is_file(place.file) || is_repeated(remarks, i)) {
            continue;
        }
        buffer_format(out, "%s:%u:%u: remark: %s", place.file->path, (unsigned)place.line,
                      (unsigned)source_character(place), remarks[i].text);
        if (!span_is_nowhere(remarks[i].other)) {
            SourcePlace other = sources_place(sources, remarks[i].other.start);
            if (library_is_file(other.file)) {
                buffer_text(out, " a line of the built-in library");
            } else {
                buffer_format(out, " line %u", (unsigned)other.line);
                if (other.file != place.file) {
                    buffer_format(out, " of %s", other.file->path);
                }
            }
        }
        buffer_format(out, " [%s]\n", remarks[i].pass);
    }
}

void compile_messages(const Compilation *compilation, RenderOptions options, Buffer *out) {
    const Context *context = compilation->context;
    render_diags(out, context->diags, context->sources, options);
}

void compilation_finish(Compilation *compilation) {
    CHECK(compilation->module == NULL);
    buffer_free(&compilation->interface);
    context_destroy(compilation->context);
}
