// See part_vectors.h. Where a vector is loaded that lies within a longer one that has been loaded,
// LLVM takes it from that, by an integer as wide as the part:
//
//     halves = bitcast <8 x double> v to <2 x i256>
//     half = extractelement halves, 1
//     part = bitcast i256 half to <4 x double>
//
// No register holds such an integer, and LLVM 19 does not come to an end of choosing instructions
// where the same half is also read as lanes (its graph of them gets a cycle).
#include "codegen/target/part_vectors.h"

#include "codegen/emit/lanes.h"
#include "codegen/target/values.h"

enum { WORD_BITS = 64 };

// The same as lanes of the vector that the part lies in; NULL: it is no part by such an integer.
static LLVMValueRef lanes_of_part(Gen *gen, LLVMValueRef part) {
    LLVMValueRef wide = LLVMGetOperand(part, 0);
    if (!value_is_vector(part) || LLVMIsAExtractElementInst(wide) == NULL ||
        LLVMGetTypeKind(LLVMTypeOf(wide)) != LLVMIntegerTypeKind ||
        LLVMGetIntTypeWidth(LLVMTypeOf(wide)) <= WORD_BITS) {
        return NULL;
    }
    LLVMValueRef parts = LLVMGetOperand(wide, 0), number = LLVMGetOperand(wide, 1);
    if (LLVMIsABitCastInst(parts) == NULL || LLVMIsAConstantInt(number) == NULL ||
        !value_is_vector(LLVMGetOperand(parts, 0))) {
        return NULL;
    }
    LLVMTypeRef type = LLVMTypeOf(part);
    unsigned count = LLVMGetVectorSize(type);
    unsigned all = count * LLVMGetVectorSize(LLVMTypeOf(parts));
    LLVMPositionBuilderBefore(gen->builder, part);
    LLVMValueRef whole = LLVMBuildBitCast(gen->builder, LLVMGetOperand(parts, 0),
                                          lanes_type(LLVMGetElementType(type), all), "");
    return lanes_part(gen, whole, (unsigned)LLVMConstIntGetZExtValue(number) * count, count);
}

static void restore_block(Gen *gen, LLVMBasicBlockRef block) {
    LLVMValueRef next;
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL; at = next) {
        next = LLVMGetNextInstruction(at);
        LLVMValueRef lanes = LLVMIsABitCastInst(at) != NULL ? lanes_of_part(gen, at) : NULL;
        if (lanes != NULL) {
            LLVMReplaceAllUsesWith(at, lanes);
            LLVMInstructionEraseFromParent(at);
        }
    }
}

void part_vectors_restore(Gen *gen) {
    for (LLVMValueRef function = LLVMGetFirstFunction(gen->module); function != NULL;
         function = LLVMGetNextFunction(function)) {
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
             block = LLVMGetNextBasicBlock(block)) {
            restore_block(gen, block);
        }
    }
}
