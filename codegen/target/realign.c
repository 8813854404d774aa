// A vector that does not fit into a register any more is saved on the stack. LLVM aligns what it
// saves no further than the stack is, unless it knows before it chooses registers that the frame
// will be aligned anew: then the frame pointer is kept for that. On x86 the stack is aligned to 16
// bytes and vectors have up to 64, so it is chance, by the length of the environment, whether each
// saved vector lies across two cache lines (an 8x8 product took 25 instead of 13 ns).
//
// Aligning anew costs each call a few instructions and a register, so it is only asked for where
// something may have to be saved: where there are more vectors than half of the registers (masks of
// shuffles and constants need some as well), or a call while there are any, which leaves no vector
// register as it was.
#include "codegen/target/realign.h"

#include "codegen/target/target.h"
#include "codegen/target/values.h"
#include "support/intern.h"

#include <string.h>

static const char attribute[] = "stackrealign";

// The bytes of a value when it is a vector, else 0.
static uint64_t vector_bytes(Gen *gen, LLVMValueRef value) {
    return value_is_vector(value) ? LLVMStoreSizeOfType(gen->target.layout, LLVMTypeOf(value)) : 0;
}

static bool is_call(LLVMValueRef instruction) {
    if (LLVMIsACallInst(instruction) == NULL) {
        return false;
    }
    LLVMValueRef callee = LLVMGetCalledValue(instruction);
    size_t len;
    return LLVMIsAFunction(callee) == NULL ||
           !text_begins_with(LLVMGetValueName2(callee, &len), "llvm.");
}

// Whether a function may have to save vectors that are longer than the stack is aligned.
static bool may_save_vectors(Gen *gen, LLVMValueRef function) {
    uint64_t bytes = 0; // of all vectors
    bool calls = false;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
             at = LLVMGetNextInstruction(at)) {
            uint64_t own = vector_bytes(gen, at);
            bytes += own > gen->target.has->stack_align ? own : 0;
            calls = calls || is_call(at);
        }
    }
    if (bytes == 0 || target_vector_bytes(&gen->target) <= gen->target.has->stack_align) {
        return false;
    }
    uint64_t registers = bytes / target_vector_bytes(&gen->target);
    return calls || registers > target_vector_registers(&gen->target) / 2;
}

void realign_frames(Gen *gen) {
    for (LLVMValueRef at = LLVMGetFirstFunction(gen->module); at != NULL;
         at = LLVMGetNextFunction(at)) {
        if (!LLVMIsDeclaration(at) && may_save_vectors(gen, at)) {
            LLVMAddTargetDependentFunctionAttr(at, attribute, "");
        }
    }
}

bool realign_is_marked(LLVMValueRef function) {
    LLVMAttributeIndex index = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    return LLVMGetStringAttributeAtIndex(function, index, attribute, sizeof(attribute) - 1) != NULL;
}
