// Entry points: from a program to an optimised LLVM module. In this order: the target machine, an
// empty module with the types that everything uses, the functions of the source, what other objects
// see of them (entry points, tables, exports), LLVM's passes. Reads a verified and planned program
// and changes nothing of it. What is left is a CodegenModule, for target/write.c, target/report.c
// and jit.c.
#include "codegen/codegen.h"

#include "codegen/emit/debug_info.h"
#include "codegen/gen.h"
#include "codegen/module.h"
#include "codegen/options.h"
#include "codegen/plan/limits.h"
#include "codegen/plan/parted.h"
#include "codegen/plan/print.h"
#include "codegen/target/frames.h"
#include "codegen/target/pipeline.h"
#include "codegen/target/sincos.h"
#include "codegen/target/target.h"
#include "codegen/unit/descriptor.h"
#include "codegen/unit/entry.h"
#include "codegen/unit/function.h"
#include "codegen/unit/layout.h"
#include "codegen/unit/link_name.h"
#include "codegen/unit/tests.h"
#include "runtime/abi/abi.h"

#include <string.h>

static PlanFacts plan_facts(Arena *arena, const TirProgram *program, const CodegenOptions *options,
                            Target *target) {
    return (PlanFacts){
        .vectors = target->has->vectors,
        .vector_bytes = target_vector_bytes(target),
        .vector_registers = target_vector_registers(target),
        .mask_registers = target_has_mask_registers(target),
        // Instructions of one machine are not known to what makes lanes of runs (runs/).
        .tables = target_has_mask_registers(target) && options->batch == 0,
        .selects = target->has->select_of_reals,
        .streams = target->has->fence != NULL,
        .fma = target_has_fma(target),
        .single = program->single,
        .embedded = program->entry == NULL,
        .fp = options->fp,
        .opt_level = options->opt_level,
        .small = options->size != SIZE_ANY,
        .few_parted = parted_are_few(arena, program),
        .threads = options->threads,
        .threads_from = options->threads_from > 0 ? options->threads_from : SPLIT_WORK_FROM,
    };
}

static void create_types(Gen *gen) {
    gen->i1 = LLVMInt1TypeInContext(gen->llvm);
    gen->i8 = LLVMInt8TypeInContext(gen->llvm);
    gen->i16 = LLVMInt16TypeInContext(gen->llvm);
    gen->i32 = LLVMInt32TypeInContext(gen->llvm);
    gen->i64 = LLVMInt64TypeInContext(gen->llvm);
    bool single = gen->program->single;
    gen->real = single ? LLVMFloatTypeInContext(gen->llvm) : LLVMDoubleTypeInContext(gen->llvm);
    gen->real_bits = single ? gen->i32 : gen->i64;
    gen->pointer = LLVMPointerTypeInContext(gen->llvm, 0);
}

// Tools and warnings of LLVM must not write to our standard error; errors come back as results.
static void take_diagnostic(LLVMDiagnosticInfoRef info, void *data) {
    char *text = LLVMGetDiagInfoDescription(info);
    switch (LLVMGetDiagInfoSeverity(info)) {
    case LLVMDSError: BUG("LLVM: %s", text);
    case LLVMDSWarning: frames_note(data, text); break;
    case LLVMDSRemark:
    case LLVMDSNote: break;
    }
    LLVMDisposeMessage(text);
}

static void create_module(Gen *gen) {
    gen->llvm = LLVMContextCreate();
    gen->module = LLVMModuleCreateWithNameInContext(gen->name, gen->llvm);
    gen->frames = ARENA_NEW(gen->arena, Frames);
    *gen->frames = (Frames){.arena = gen->arena, .module = gen->module};
    LLVMContextSetDiagnosticHandler(gen->llvm, take_diagnostic, gen->frames);
    LLVMSetSourceFileName(gen->module, gen->program->path, strlen(gen->program->path));
    LLVMSetTarget(gen->module, gen->target.triple);
    LLVMSetModuleDataLayout(gen->module, gen->target.layout);
    gen->builder = LLVMCreateBuilderInContext(gen->llvm);
    gen->at_entry = LLVMCreateBuilderInContext(gen->llvm);
    create_types(gen);
    gen->layout = layout_state(gen->program);
    gen->instance_members = instances_members(gen->arena, gen->program);
    gen->size = LLVMIntPtrTypeInContext(gen->llvm, gen->target.layout);
    gen->is_embedded = gen->program->entry == NULL;
    gen->has_c_pointers = gen->is_embedded || gen->options->exports;
}

static void generate_functions(Gen *gen, const TirProgram *program) {
    gen->program = program;
    gen->has_alias_scopes = false;
    for (size_t i = 0; i < program->functions.count; i++) {
        function_declare(gen, program->functions.items[i]);
    }
    for (size_t i = 0; i < program->functions.count; i++) {
        function_define(gen, program->functions.items[i]);
    }
}

static EntryPoints generate(Gen *gen) {
    const TirProgram *program = gen->program;
    EntryPoints entries = {0};
    debug_begin(gen);
    for (size_t i = 0; i < program->components.count; i++) {
        generate_functions(gen, program->components.items[i]);
    }
    generate_functions(gen, program);
    if (program->is_tested) {
        tests_table(gen);
    } else if (program->kind == PROGRAM_LIBRARY) {
        entry_library(gen);
    } else {
        bool is_component = program->kind == PROGRAM_COMPONENT;
        entries = is_component ? entry_component(gen) : entry_program(gen);
        model_table(gen, &entries);
    }
    if (gen->options->exports || (program->kind == PROGRAM_LIBRARY && !program->is_tested)) {
        export_functions(gen);
    }
    debug_end(gen);
    return entries;
}

// Of finished code, so that each run does what the others would do alone.
static void add_runs(Gen *gen, const EntryPoints *entries, const char **apart) {
    if (gen->program->kind == PROGRAM_COMPONENT && gen->options->batch > 0) {
        pipeline_prepare_runs(gen);
        runs_define(gen, &entries->batch, entries->init, entries->step_n, apart);
        pipeline_finish(gen);
    }
}

CodegenModule *codegen_build(Context *context, const TirProgram *program,
                             const CodegenOptions *options, const char **error) {
    Gen gen = {
        .context = context,
        .arena = context->arena,
        .program = program,
        .options = options,
        .name = options->prefix != NULL ? options->prefix
                                        : layout_program_name(context->arena, program->path),
    };
    gen.prefix =
        options->prefix != NULL ? options->prefix : layout_prefix(context->arena, program->path);
    if (!target_create(context->arena, options, &gen.target, error)) {
        return NULL;
    }
    gen.hash = link_hash(context, program, options, &gen.target);
    gen.facts = plan_facts(context->arena, program, options, &gen.target);
    gen.scope.arena = context->arena;
    create_module(&gen);
    EntryPoints entries = generate(&gen);
    pipeline_run(&gen);
    CodegenModule *module = ARENA_NEW(context->arena, CodegenModule);
    const char *apart = NULL;
    add_runs(&gen, &entries, &apart);
    sincos_join(&gen);
    debug_drop(&gen);
    LLVMDisposeBuilder(gen.builder);
    LLVMDisposeBuilder(gen.at_entry);
    *module = (CodegenModule){
        .arena = context->arena,
        .llvm = gen.llvm,
        .module = gen.module,
        .target = gen.target,
        .frames = gen.frames,
        .prefix = gen.prefix,
        .hash = gen.hash,
        .descriptor = program->is_tested ? tests_symbol(&gen) : descriptor_symbol(&gen),
        .apart = apart,
        .lanes = program->kind == PROGRAM_COMPONENT ? options->batch : 0,
        .texts = gen.texts,
    };
    return module;
}

bool codegen_plan(Context *context, const TirProgram *program, const CodegenOptions *options,
                  Buffer *out, const char **error) {
    Target target;
    if (!target_create(context->arena, options, &target, error)) {
        return false;
    }
    PlanFacts facts = plan_facts(context->arena, program, options, &target);
    plan_print(context->arena, out, &facts, context->sources, program);
    target_destroy(&target);
    return true;
}

TirMath codegen_math(Arena *arena, const CodegenOptions *options) {
    Target target;
    const char *error;
    if (!target_create(arena, options, &target, &error)) {
        return TIR_MATH_LIBRARY;
    }
    TirMath math = target_math(&target, options);
    target_destroy(&target);
    return math;
}

void codegen_destroy(CodegenModule *module) {
    if (module->object != NULL) {
        LLVMDisposeMemoryBuffer(module->object);
    }
    LLVMDisposeModule(module->module);
    LLVMContextDispose(module->llvm);
    target_destroy(&module->target);
}
