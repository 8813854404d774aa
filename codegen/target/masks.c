// Where masks have registers of their own, LLVM makes numbers of a vector of bools in three steps:
// bits fill lanes, which are shifted, and converted where reals are wanted. On Intel's processors
// the first also waits for what was in the register of its result, so that all of a loop wait for
// each other. Chosen by the mask, reals are one move, and what is added is added under it: 64
// elements are sorted in 0.8 of the time, bins counted as sums of `onehot` in a quarter. An
// integer that is read otherwise stays as it is: moves may wait for the same unit as comparisons,
// and interpolation in a table of nine takes 1.06 of the time. LLVM's passes would make choices
// conversions again, so this comes behind them.
#include "codegen/target/masks.h"

#include "codegen/emit/lanes.h"
#include "codegen/target/instructions.h"

enum { LONGEST_COMPARED = 256 }; // bits that are compared as without mask registers, to lanes

static bool is_mask(Gen *gen, LLVMValueRef value) {
    LLVMTypeRef type = LLVMTypeOf(value);
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind && LLVMGetElementType(type) == gen->i1;
}

static void choose(Gen *gen, LLVMValueRef number, LLVMValueRef one) {
    LLVMTypeRef type = LLVMTypeOf(number);
    LLVMPositionBuilderBefore(gen->builder, number);
    LLVMValueRef ones = lanes_splat(gen, one, LLVMGetVectorSize(type));
    LLVMValueRef chosen =
        LLVMBuildSelect(gen->builder, LLVMGetOperand(number, 0), ones, LLVMConstNull(type), "");
    LLVMReplaceAllUsesWith(number, chosen);
    LLVMInstructionEraseFromParent(number);
}

static void choose_real(Gen *gen, LLVMValueRef number, void *data) {
    (void)data;
    if (is_mask(gen, LLVMGetOperand(number, 0))) {
        choose(gen, number, LLVMConstReal(LLVMGetElementType(LLVMTypeOf(number)), 1.0));
    }
}

// Whether only one operation reads it, which has an operand that changes nothing.
static bool is_counted(LLVMValueRef number) {
    LLVMUseRef use = LLVMGetFirstUse(number);
    if (use == NULL || LLVMGetNextUse(use) != NULL) {
        return false;
    }
    switch (LLVMGetInstructionOpcode(LLVMGetUser(use))) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMOr:
    case LLVMXor:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr: return true;
    default: return false;
    }
}

static void choose_integer(Gen *gen, LLVMValueRef number, void *data) {
    (void)data;
    LLVMValueRef mask = LLVMGetOperand(number, 0);
    if (!is_mask(gen, mask) || !is_counted(number)) {
        return;
    }
    LLVMTypeRef type = LLVMTypeOf(number);
    unsigned long long bits = LLVMSizeOfTypeInBits(gen->target.layout, type);
    if (LLVMIsACmpInst(mask) != NULL && bits <= LONGEST_COMPARED &&
        bits == LLVMSizeOfTypeInBits(gen->target.layout, LLVMTypeOf(LLVMGetOperand(mask, 0)))) {
        return;
    }
    choose(gen, number, LLVMConstInt(LLVMGetElementType(type), 1, false));
}

void masks_late(Gen *gen) {
    if (gen->facts.mask_registers) {
        instructions_visit(gen, LLVMUIToFP, choose_real, NULL);
        instructions_visit(gen, LLVMZExt, choose_integer, NULL);
    }
}
