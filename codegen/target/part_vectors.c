// See part_vectors.h. Where a vector is loaded that lies within a longer one that has been loaded,
// LLVM takes it from that, by an integer as wide as the part:
//
//     halves = bitcast <8 x double> v to <2 x i256>
//     half = extractelement halves, 1
//     part = bitcast i256 half to <4 x double>
//
// or, of a part that lies elsewhere, by a shift and what is cut off above; in all targets the first
// lane is the lowest. No register holds such an integer, and LLVM 19 does not come to an end of
// choosing instructions where the same half is also read as lanes (its graph of them gets a cycle).
#include "codegen/target/part_vectors.h"

#include "codegen/emit/lanes.h"
#include "codegen/target/instructions.h"
#include "codegen/target/values.h"

enum { WORD_BITS = 64 };

// Bits of a vector: those from `first` on.
typedef struct Part {
    LLVMValueRef whole; // NULL: of none
    uint64_t first;
} Part;

static bool is_shift_down(LLVMValueRef value) {
    return LLVMIsABinaryOperator(value) != NULL && LLVMGetInstructionOpcode(value) == LLVMLShr &&
           LLVMIsAConstantInt(LLVMGetOperand(value, 1)) != NULL;
}

// Where the bits of a wide integer come from, all of them.
static Part part_of(LLVMValueRef wide) {
    const uint64_t bits = LLVMGetIntTypeWidth(LLVMTypeOf(wide));
    uint64_t first = 0;
    bool has_all = true;
    if (LLVMIsAExtractElementInst(wide) != NULL &&
        LLVMIsAConstantInt(LLVMGetOperand(wide, 1)) != NULL) {
        first = LLVMConstIntGetZExtValue(LLVMGetOperand(wide, 1)) * bits;
        wide = LLVMGetOperand(wide, 0);
    }
    while (LLVMIsATruncInst(wide) != NULL || is_shift_down(wide)) {
        uint64_t shift =
            is_shift_down(wide) ? LLVMConstIntGetZExtValue(LLVMGetOperand(wide, 1)) : 0;
        // Above it are zeros.
        has_all = has_all && first + bits + shift <= LLVMGetIntTypeWidth(LLVMTypeOf(wide));
        first += shift;
        wide = LLVMGetOperand(wide, 0);
    }
    bool is_part =
        has_all && LLVMIsABitCastInst(wide) != NULL && value_is_vector(LLVMGetOperand(wide, 0));
    return (Part){is_part ? LLVMGetOperand(wide, 0) : NULL, first};
}

// The same as lanes of the vector that they are from; NULL: it is no vector of such bits.
static LLVMValueRef lanes_of_part(Gen *gen, LLVMValueRef vector) {
    LLVMValueRef wide = LLVMGetOperand(vector, 0);
    if (!value_is_vector(vector) || LLVMGetTypeKind(LLVMTypeOf(wide)) != LLVMIntegerTypeKind ||
        LLVMGetIntTypeWidth(LLVMTypeOf(wide)) <= WORD_BITS) {
        return NULL;
    }
    Part part = part_of(wide);
    LLVMTypeRef lane = LLVMGetElementType(LLVMTypeOf(vector));
    LLVMTargetDataRef layout = gen->target.layout;
    uint64_t bits = LLVMSizeOfTypeInBits(layout, lane);
    uint64_t all = part.whole == NULL ? 0 : LLVMSizeOfTypeInBits(layout, LLVMTypeOf(part.whole));
    unsigned count = LLVMGetVectorSize(LLVMTypeOf(vector));
    if (all % bits != 0 || part.first % bits != 0 || part.first + count * bits > all ||
        count > LANES_LIMIT) {
        return NULL;
    }
    LLVMPositionBuilderBefore(gen->builder, vector);
    LLVMValueRef whole =
        LLVMBuildBitCast(gen->builder, part.whole, lanes_type(lane, (unsigned)(all / bits)), "");
    return lanes_part(gen, whole, (unsigned)(part.first / bits), count);
}

static void restore(Gen *gen, LLVMValueRef cast, void *data) {
    (void)data;
    LLVMValueRef lanes = lanes_of_part(gen, cast);
    if (lanes != NULL) {
        LLVMReplaceAllUsesWith(cast, lanes);
        LLVMInstructionEraseFromParent(cast);
    }
}

void part_vectors_restore(Gen *gen) {
    instructions_visit(gen, LLVMBitCast, restore, NULL);
}
