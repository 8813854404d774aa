// What all of emit/ and unit/ builds on: attributes of functions and parameters, with those that
// each function of ours gets (gen_own_function), calls of LLVM's intrinsics and of libm, fast-math
// flags as --fp wants them, and basic blocks. Everything goes to where the builder of the Gen
// stands, or into its module.
#include "codegen/emit/calls.h"

#include "codegen/emit/types.h"
#include "codegen/gen.h"
#include "codegen/options.h"
#include "codegen/target/frames.h"
#include "codegen/target/target.h"

#include <string.h>

enum { RARE = 1000 }; // times a branch goes elsewhere for each that it does not

LLVMAttributeRef gen_attribute(Gen *gen, const char *name, uint64_t value) {
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    CHECK(kind != 0);
    return LLVMCreateEnumAttribute(gen->llvm, kind, value);
}

void gen_function_attribute(Gen *gen, LLVMValueRef function, const char *name, uint64_t value) {
    LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            gen_attribute(gen, name, value));
}

void gen_param_attribute(Gen *gen, LLVMValueRef function, unsigned param, const char *name,
                         uint64_t value) {
    LLVMAddAttributeAtIndex(function, param + 1, gen_attribute(gen, name, value));
}

void gen_take_in_late(Gen *gen, LLVMValueRef function) {
    gen_function_attribute(gen, function, "noinline", 0);
    LLVMAddTargetDependentFunctionAttr(function, TAKEN_IN_LATE, "");
}

void gen_own_function(Gen *gen, LLVMValueRef function) {
    gen_function_attribute(gen, function, "nounwind", 0);
    if (gen->options->size != SIZE_ANY) {
        gen_function_attribute(gen, function, "optsize", 0);
    }
    if (gen->options->size == SIZE_LEAST) {
        gen_function_attribute(gen, function, "minsize", 0);
        // What functions share stays in them: a call would be on the stack, and in no frame.
        LLVMAddTargetDependentFunctionAttr(function, "nooutline", "");
    }
    // LLVM takes half of the longest registers otherwise, and statements on arrays take all of
    // them.
    if (gen->facts.vector_bytes == 64) {
        LLVMAddTargetDependentFunctionAttr(function, "prefer-vector-width", "512");
    }
    frames_watch(function);
    if (!gen->is_embedded) {
        if (gen->options->debug) {
            gen_function_attribute(gen, function, "uwtable", 2);
        }
        return;
    }
    // No tables to unwind by, which need a library on ARM: debuggers have frames of their own.
    // LLVM makes no calls of memcpy and its like from loops and comparisons then, and the stack
    // that a function uses is all in its frame.
    LLVMAddTargetDependentFunctionAttr(function, "no-builtins", "");
    gen_function_attribute(gen, function, "noredzone", 0);
    gen_own_section(gen, function, ".text");
}

LLVMValueRef gen_intrinsic(Gen *gen, const char *name, LLVMTypeRef *types, unsigned type_count,
                           LLVMValueRef *args, unsigned count) {
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    CHECK(id != 0);
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(gen->module, id, types, type_count);
    LLVMTypeRef signature = LLVMIntrinsicGetType(gen->llvm, id, types, type_count);
    return LLVMBuildCall2(gen->builder, signature, function, args, count, "");
}

LLVMValueRef gen_libm_function(Gen *gen, const char *name, unsigned count) {
    if (gen->program->single) {
        name = arena_format(gen->arena, "%sf", name);
    }
    LLVMTypeRef params[2] = {gen->real, gen->real};
    LLVMTypeRef type = LLVMFunctionType(gen->real, params, count, false);
    LLVMValueRef function = LLVMGetNamedFunction(gen->module, name);
    if (function == NULL) {
        function = LLVMAddFunction(gen->module, name, type);
        // It may set errno, which nothing here reads. `nobuiltin` keeps LLVM from knowing it.
        const char *const facts[] = {"nounwind", "willreturn", "nobuiltin", "nocallback", "memory"};
        for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++) {
            gen_function_attribute(gen, function, facts[i], 0);
        }
    }
    return function;
}

LLVMValueRef gen_libm(Gen *gen, const char *name, LLVMValueRef *args, unsigned count) {
    LLVMValueRef function = gen_libm_function(gen, name, count);
    LLVMTypeRef type = LLVMGlobalGetValueType(function);
    return LLVMBuildCall2(gen->builder, type, function, args, count, "");
}

LLVMValueRef gen_fp(Gen *gen, LLVMValueRef value) {
    FpMode mode = gen->options->fp;
    if ((mode == FP_CONTRACT || mode == FP_FAST) && LLVMIsAInstruction(value) != NULL &&
        LLVMCanValueUseFastMathFlags(value)) {
        LLVMFastMathFlags flags = LLVMFastMathAllowContract;
        if (mode == FP_FAST) {
            flags |= LLVMFastMathNoSignedZeros | LLVMFastMathAllowReciprocal;
            flags |= gen->regroups ? LLVMFastMathAllowReassoc : 0;
        }
        LLVMSetFastMathFlags(value, flags);
    }
    return value;
}

LLVMBasicBlockRef gen_block(Gen *gen, const char *name) {
    return LLVMAppendBasicBlockInContext(gen->llvm, gen->value, name);
}

void gen_enter(Gen *gen, LLVMBasicBlockRef block) {
    LLVMBasicBlockRef last = LLVMGetLastBasicBlock(gen->value);
    if (block != last) {
        LLVMMoveBasicBlockAfter(block, last);
    }
    LLVMPositionBuilderAtEnd(gen->builder, block);
}

bool gen_block_is_open(Gen *gen) {
    return LLVMGetBasicBlockTerminator(LLVMGetInsertBlock(gen->builder)) == NULL;
}

void gen_jump(Gen *gen, LLVMBasicBlockRef block) {
    if (gen_block_is_open(gen)) {
        LLVMBuildBr(gen->builder, block);
    }
}

void gen_expect_both(Gen *gen, LLVMValueRef branch) {
    static const char name[] = "unpredictable";
    LLVMMetadataRef node = LLVMMDNodeInContext2(gen->llvm, NULL, 0);
    LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(gen->llvm, name, (unsigned)strlen(name)),
                    LLVMMetadataAsValue(gen->llvm, node));
}

void gen_expect_no(Gen *gen, LLVMValueRef branch) {
    LLVMMetadataRef items[] = {
        LLVMMDStringInContext2(gen->llvm, "branch_weights", strlen("branch_weights")),
        LLVMValueAsMetadata(gen_i32(gen, 1)),
        LLVMValueAsMetadata(gen_i32(gen, RARE)),
    };
    LLVMMetadataRef node = LLVMMDNodeInContext2(gen->llvm, items, sizeof(items) / sizeof(*items));
    unsigned kind = LLVMGetMDKindIDInContext(gen->llvm, "prof", (unsigned)strlen("prof"));
    LLVMSetMetadata(branch, kind, LLVMMetadataAsValue(gen->llvm, node));
}
