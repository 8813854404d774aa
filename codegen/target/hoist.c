#include "codegen/target/hoist.h"

bool hoist_is_loop(LLVMBasicBlockRef block) {
    LLVMValueRef terminator = LLVMGetBasicBlockTerminator(block);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(terminator); i++) {
        if (LLVMGetSuccessor(terminator, i) == block) {
            return true;
        }
    }
    return false;
}

static bool is_in(LLVMBasicBlockRef block, LLVMValueRef value) {
    return LLVMIsAInstruction(value) != NULL && LLVMGetInstructionParent(value) == block;
}

// The one of two instructions that comes later; NULL: they are in different blocks.
static LLVMValueRef later_of(LLVMValueRef a, LLVMValueRef b) {
    if (LLVMGetInstructionParent(a) != LLVMGetInstructionParent(b)) {
        return NULL;
    }
    for (LLVMValueRef at = a; at != NULL; at = LLVMGetNextInstruction(at)) {
        if (at == b) {
            return b;
        }
    }
    return a;
}

// What the loop has to be behind; NULL: it is not plain.
static LLVMValueRef last_of(LLVMValueRef a, LLVMValueRef b) {
    return LLVMIsAInstruction(a) == NULL ? b : LLVMIsAInstruction(b) == NULL ? a : later_of(a, b);
}

bool hoist_can(LLVMBasicBlockRef block, LLVMValueRef a, LLVMValueRef b) {
    if (!hoist_is_loop(block) || is_in(block, a) || is_in(block, b)) {
        return false;
    }
    LLVMValueRef last = last_of(a, b);
    return last != NULL && LLVMIsAInstruction(last) != NULL && LLVMIsAPHINode(last) == NULL;
}

void hoist_enter(Gen *gen, LLVMValueRef a, LLVMValueRef b) {
    LLVMPositionBuilderBefore(gen->builder, LLVMGetNextInstruction(last_of(a, b)));
}
