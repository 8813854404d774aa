// Choices between reals that LLVM makes in a way that waits. Its passes would join these again, so
// this comes behind them.
#include "codegen/target/choices.h"

#include "codegen/target/instructions.h"

enum { DEPTH = 4 }; // of what is looked at

// LLVM makes `x > (on ? low : high)` of `on ? x > low : x > high`. Where `on` is what was compared
// a turn before, as with hysteresis, and masks have registers of their own, each turn then waits
// until a bit has got into one, has chosen a real, and that was compared: eight times as long as a
// choice of bits takes. (On other machines LLVM chooses the real by a branch, which is as fast
// while the past tells the future.)

static bool compares(LLVMValueRef condition, LLVMValueRef value) {
    return LLVMIsAFCmpInst(condition) != NULL &&
           (LLVMGetOperand(condition, 0) == value || LLVMGetOperand(condition, 1) == value);
}

// Whether an operand is one of two scalars, but not the greater or less one of them.
static bool is_choice(Gen *gen, LLVMValueRef operand) {
    LLVMUseRef use = LLVMGetFirstUse(operand);
    if (LLVMIsASelectInst(operand) == NULL || LLVMTypeOf(operand) != gen->real || use == NULL ||
        LLVMGetNextUse(use) != NULL) {
        return false;
    }
    LLVMValueRef condition = LLVMGetOperand(operand, 0);
    return !compares(condition, LLVMGetOperand(operand, 1)) &&
           !compares(condition, LLVMGetOperand(operand, 2));
}

// Whether a value may wait for a turn before: all but what is made of what is read.
static bool waits(LLVMValueRef value, unsigned depth) {
    if (LLVMIsAInstruction(value) == NULL || LLVMIsALoadInst(value) != NULL) {
        return false;
    }
    if (LLVMIsAPHINode(value) != NULL || depth == 0) {
        return true;
    }
    for (int i = 0; i < LLVMGetNumOperands(value); i++) {
        if (waits(LLVMGetOperand(value, (unsigned)i), depth - 1)) {
            return true;
        }
    }
    return false;
}

static LLVMValueRef compare(Gen *gen, LLVMValueRef like, unsigned chosen, LLVMValueRef value) {
    LLVMValueRef sides[] = {LLVMGetOperand(like, 0), LLVMGetOperand(like, 1)};
    sides[chosen] = value;
    LLVMValueRef result =
        LLVMBuildFCmp(gen->builder, LLVMGetFCmpPredicate(like), sides[0], sides[1], "");
    if (LLVMCanValueUseFastMathFlags(result)) {
        LLVMSetFastMathFlags(result, LLVMGetFastMathFlags(like));
    }
    return result;
}

static void choose_late(Gen *gen, LLVMValueRef comparison, void *data) {
    (void)data;
    for (unsigned side = 0; side < 2; side++) {
        LLVMValueRef choice = LLVMGetOperand(comparison, side);
        if (!is_choice(gen, choice) || waits(LLVMGetOperand(comparison, 1 - side), DEPTH)) {
            continue;
        }
        LLVMPositionBuilderBefore(gen->builder, comparison);
        LLVMValueRef yes = compare(gen, comparison, side, LLVMGetOperand(choice, 1));
        LLVMValueRef no = compare(gen, comparison, side, LLVMGetOperand(choice, 2));
        // Of bits as such: a choice may become a branch.
        LLVMValueRef differs = LLVMBuildXor(gen->builder, yes, no, "");
        differs = LLVMBuildAnd(gen->builder, differs, LLVMGetOperand(choice, 0), "");
        LLVMValueRef late = LLVMBuildXor(gen->builder, differs, no, "");
        LLVMReplaceAllUsesWith(comparison, late);
        LLVMInstructionEraseFromParent(comparison);
        LLVMInstructionEraseFromParent(choice);
        return;
    }
}

// LLVM chooses reals by a mask where one comparison of reals decides, and elsewhere by a branch:
// half of the time the wrong one if what decides is of integers, or of several conditions of which
// the past says little, as that power rose and voltage fell. One of two constants is chosen as a
// word: a search for the point of maximum power takes half of the time. What goes on from turn to
// turn would wait for the word, and stays a branch.
static void choose_word(Gen *gen, LLVMValueRef choice, void *data) {
    (void)data;
    LLVMValueRef condition = LLVMGetOperand(choice, 0);
    LLVMValueRef yes = LLVMGetOperand(choice, 1), no = LLVMGetOperand(choice, 2);
    if (LLVMIsAConstant(condition) != NULL || LLVMIsAFCmpInst(condition) != NULL ||
        LLVMIsAConstantFP(yes) == NULL || LLVMIsAConstantFP(no) == NULL) {
        return;
    }
    LLVMTypeRef word = LLVMTypeOf(yes) == LLVMDoubleTypeInContext(gen->llvm) ? gen->i64 : gen->i32;
    LLVMPositionBuilderBefore(gen->builder, choice);
    yes = LLVMBuildBitCast(gen->builder, yes, word, "");
    no = LLVMBuildBitCast(gen->builder, no, word, "");
    LLVMValueRef chosen = LLVMBuildSelect(gen->builder, condition, yes, no, "");
    LLVMReplaceAllUsesWith(choice, LLVMBuildBitCast(gen->builder, chosen, LLVMTypeOf(choice), ""));
    LLVMInstructionEraseFromParent(choice);
}

void choices_late(Gen *gen) {
    if (gen->facts.mask_registers) {
        instructions_visit(gen, LLVMFCmp, choose_late, NULL);
    } else if (gen->facts.selects && !gen->facts.small) {
        instructions_visit(gen, LLVMSelect, choose_word, NULL);
    }
}
