// See code.h. What comes before it needs no LLVM, and is driver/compile.c.
#include "driver/code.h"

#include "support/heap.h"

enum { LLVM_BYTES = 4 * 1024 * 1024 }; // what it takes for some hundred lines

// A target or CPU that nobody needs is refused all the same where it is none.
static ExitStatus check_target(Compilation *compilation, const CodegenOptions *options) {
    bool is_given = options->target != NULL || options->cpu != NULL;
    Arena *arena = compilation->context->arena;
    bool is_good = !is_given || codegen_has_target(arena, options, &compilation->error);
    return is_good ? EXIT_OK : EXIT_USAGE;
}

ExitStatus code_make(Compilation *compilation, const CompileOptions *options) {
    if (options->stage < STAGE_CODEGEN) {
        return check_target(compilation, &options->codegen);
    }
    if (options->codegen.batch > 0 && compilation->program->kind != PROGRAM_COMPONENT) {
        compilation->error = "`--batch` is for components: this file has no runs";
        return EXIT_USAGE;
    }
    double start = clock_seconds();
    heap_expect(LLVM_BYTES);
    compilation->module = codegen_build(compilation->context, compilation->program,
                                        &options->codegen, &compilation->error);
    compilation->seconds[PHASE_CODEGEN] += clock_seconds() - start;
    return compilation->module != NULL ? EXIT_OK : EXIT_USAGE;
}

void code_drop(Compilation *compilation) {
    if (compilation->module != NULL) {
        codegen_destroy(compilation->module);
        compilation->module = NULL;
    }
}
