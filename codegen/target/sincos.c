// What turns between frames takes sine and cosine of one angle. Those of the C libraries of Linux
// come from the same code as `sincos`, which reduces the angle once. LLVM itself joins them only
// under -ffast-math, because of errno, which nothing here reads.
//
// Assumes that equal angles are one value already.
#include "codegen/target/sincos.h"

#include "codegen/emit/calls.h"
#include "codegen/emit/types.h"

#include <string.h>

typedef struct Join {
    Gen *gen;
    LLVMValueRef sine, cosine, both; // functions
    LLVMTypeRef type;                // of `both`
    LLVMValueRef slots[2];           // of the function at hand, for both values; NULL until needed
} Join;

static bool has_sincos(const Gen *gen) {
    return gen->options->opt_level > 0 && strstr(gen->target.triple, "-linux-") != NULL;
}

static bool calls(LLVMValueRef at, LLVMValueRef function) {
    return LLVMIsACallInst(at) != NULL && LLVMGetCalledValue(at) == function;
}

// The first call of `function` for the same angle as that of `call`, in its block; NULL: none.
static LLVMValueRef partner(LLVMValueRef call, LLVMValueRef function) {
    LLVMValueRef angle = LLVMGetOperand(call, 0);
    for (LLVMUseRef use = LLVMIsConstant(angle) ? NULL : LLVMGetFirstUse(angle); use != NULL;
         use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (calls(user, function) &&
            LLVMGetInstructionParent(user) == LLVMGetInstructionParent(call)) {
            return user;
        }
    }
    return NULL;
}

static void make_slots(Join *join, LLVMValueRef function) {
    LLVMBuilderRef builder = join->gen->builder;
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
    LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(entry));
    for (size_t i = 0; i < 2; i++) {
        join->slots[i] = LLVMBuildAlloca(builder, join->gen->real, "");
    }
}

static void join_calls(Join *join, LLVMValueRef first, LLVMValueRef second) {
    LLVMBuilderRef builder = join->gen->builder;
    LLVMBasicBlockRef block = LLVMGetInstructionParent(first);
    if (join->slots[0] == NULL) {
        make_slots(join, LLVMGetBasicBlockParent(block));
    }
    LLVMPositionBuilderBefore(builder, first);
    LLVMValueRef args[] = {LLVMGetOperand(first, 0), join->slots[0], join->slots[1]};
    LLVMBuildCall2(builder, join->type, join->both, args, 3, "");
    const LLVMValueRef found[] = {first, second};
    for (size_t i = 0; i < 2; i++) {
        LLVMValueRef slot = join->slots[calls(found[i], join->sine) ? 0 : 1];
        LLVMValueRef value = LLVMBuildLoad2(builder, join->gen->real, slot, "");
        LLVMReplaceAllUsesWith(found[i], value);
    }
    LLVMInstructionEraseFromParent(first);
    LLVMInstructionEraseFromParent(second);
}

static void join_in(Join *join, LLVMBasicBlockRef block) {
    LLVMValueRef at = LLVMGetFirstInstruction(block);
    while (at != NULL) {
        LLVMValueRef second = calls(at, join->sine)     ? partner(at, join->cosine)
                              : calls(at, join->cosine) ? partner(at, join->sine)
                                                        : NULL;
        LLVMValueRef next = LLVMGetNextInstruction(at);
        if (second != NULL) {
            next = next == second ? LLVMGetNextInstruction(second) : next;
            join_calls(join, at, second);
        }
        at = next;
    }
}

void sincos_join(Gen *gen) {
    bool single = gen->program->single;
    Join join = {.gen = gen,
                 .sine = LLVMGetNamedFunction(gen->module, single ? "sinf" : "sin"),
                 .cosine = LLVMGetNamedFunction(gen->module, single ? "cosf" : "cos")};
    if (!has_sincos(gen) || join.sine == NULL || join.cosine == NULL) {
        return;
    }
    LLVMTypeRef params[] = {gen->real, gen->pointer, gen->pointer};
    join.type = LLVMFunctionType(LLVMVoidTypeInContext(gen->llvm), params, 3, false);
    join.both = LLVMAddFunction(gen->module, single ? "sincosf" : "sincos", join.type);
    gen_function_attribute(gen, join.both, "nounwind", 0);
    for (LLVMValueRef function = LLVMGetFirstFunction(gen->module); function != NULL;
         function = LLVMGetNextFunction(function)) {
        join.slots[0] = NULL;
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
             block = LLVMGetNextBasicBlock(block)) {
            join_in(&join, block);
        }
    }
}
