// Entry points: from a program to an optimised LLVM module.
#include "codegen/module.h"

#include "codegen/debug_info.h"
#include "codegen/descriptor.h"
#include "codegen/function.h"
#include "codegen/pipeline.h"
#include "runtime/abi.h"

#include <ctype.h>
#include <string.h>

static uint64_t round_up(uint64_t bytes) {
    return (bytes + GEN_CACHE_LINE - 1) / GEN_CACHE_LINE * GEN_CACHE_LINE;
}

// The file's name without folders and suffix, as an identifier.
static const char *program_name(Arena *arena, const char *path) {
    const char *slash = strrchr(path, '/');
    const char *base = slash == NULL ? path : slash + 1;
    const char *dot = strrchr(base, '.');
    size_t len = dot == NULL || dot == base ? strlen(base) : (size_t)(dot - base);
    char *name = arena_copy_text(arena, base, len);
    for (char *c = name; *c != '\0'; c++) {
        if (!isalnum((unsigned char)*c)) {
            *c = '_';
        }
    }
    return isdigit((unsigned char)name[0]) ? arena_format(arena, "_%s", name) : name;
}

static void create_types(Gen *gen) {
    gen->i1 = LLVMInt1TypeInContext(gen->llvm);
    gen->i8 = LLVMInt8TypeInContext(gen->llvm);
    gen->i16 = LLVMInt16TypeInContext(gen->llvm);
    gen->i32 = LLVMInt32TypeInContext(gen->llvm);
    gen->i64 = LLVMInt64TypeInContext(gen->llvm);
    gen->real = gen->program->single ? LLVMFloatTypeInContext(gen->llvm)
                                     : LLVMDoubleTypeInContext(gen->llvm);
    gen->pointer = LLVMPointerTypeInContext(gen->llvm, 0);
}

// Tools and warnings of LLVM must not write to our standard error; errors come back as results.
static void ignore_diagnostic(LLVMDiagnosticInfoRef info, void *data) {
    (void)data;
    if (LLVMGetDiagInfoSeverity(info) == LLVMDSError) {
        BUG("LLVM: %s", LLVMGetDiagInfoDescription(info));
    }
}

static void create_module(Gen *gen) {
    gen->llvm = LLVMContextCreate();
    LLVMContextSetDiagnosticHandler(gen->llvm, ignore_diagnostic, NULL);
    gen->module = LLVMModuleCreateWithNameInContext(gen->name, gen->llvm);
    LLVMSetSourceFileName(gen->module, gen->program->path, strlen(gen->program->path));
    LLVMSetTarget(gen->module, gen->target.triple);
    LLVMSetModuleDataLayout(gen->module, gen->target.layout);
    gen->builder = LLVMCreateBuilderInContext(gen->llvm);
    gen->at_entry = LLVMCreateBuilderInContext(gen->llvm);
    create_types(gen);
    gen->globals_at = round_up(sizeof(tml_state));
    gen->scratch_at = round_up(gen->globals_at + gen->program->state_bytes);
    gen->state_bytes = round_up(gen->scratch_at + gen->program->scratch_bytes);
}

static bool is_identifier_byte(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static const char *c_identifier(Arena *arena, const char *name) {
    bool digit_first = name[0] >= '0' && name[0] <= '9';
    char *identifier = arena_format(arena, digit_first ? "_%s" : "%s", name);
    for (char *at = identifier; *at != '\0'; at++) {
        *at = is_identifier_byte(*at) ? *at : '_';
    }
    return identifier;
}

static void generate(Gen *gen) {
    const TirProgram *program = gen->program;
    debug_begin(gen);
    for (size_t i = 0; i < program->functions.count; i++) {
        function_declare(gen, program->functions.items[i]);
    }
    for (size_t i = 0; i < program->functions.count; i++) {
        function_define(gen, program->functions.items[i]);
    }
    if (program->entry != NULL) {
        descriptor_program(gen);
    } else {
        descriptor_library(gen);
    }
    debug_end(gen);
}

CodegenModule *codegen_build(Context *context, const TirProgram *program,
                             const CodegenOptions *options, const char **error) {
    Gen gen = {
        .context = context,
        .arena = context->arena,
        .program = program,
        .options = options,
        .name = program_name(context->arena, program->path),
    };
    gen.prefix = c_identifier(context->arena, gen.name);
    if (!target_create(context->arena, options, &gen.target, error)) {
        return NULL;
    }
    create_module(&gen);
    generate(&gen);
    pipeline_run(&gen);
    LLVMDisposeBuilder(gen.builder);
    LLVMDisposeBuilder(gen.at_entry);

    CodegenModule *module = ARENA_NEW(context->arena, CodegenModule);
    *module = (CodegenModule){context->arena, gen.llvm, gen.module, gen.target};
    return module;
}

void codegen_destroy(CodegenModule *module) {
    LLVMDisposeModule(module->module);
    LLVMContextDispose(module->llvm);
    target_destroy(&module->target);
}
