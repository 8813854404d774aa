#include "codegen/target/waits.h"

#include "codegen/target/hoist.h"
#include "codegen/target/values.h"

enum { TURNS = 8 }; // after which it is plain which values the others wait for

// Cycles, about those of x86 that has AVX-512.
enum {
    SUM = 3,
    PRODUCT = 4,
    MULTIPLY_ADD = 4,
    COMPARISON = 3,
    QUOTIENT = 14,
    INTRINSIC = 4,
    CALL = 20,
};

static bool is_real(LLVMValueRef value) {
    LLVMTypeRef type = LLVMTypeOf(value);
    type = LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return kind == LLVMDoubleTypeKind || kind == LLVMFloatTypeKind;
}

static unsigned cycles_of(const Waits *waits, LLVMValueRef value) {
    return (unsigned)(uintptr_t)table_get(&waits->cycles, value);
}

static unsigned latest_operand(const Waits *waits, LLVMValueRef at) {
    unsigned latest = 0;
    for (int i = 0; i < LLVMGetNumOperands(at); i++) {
        unsigned cycles = cycles_of(waits, LLVMGetOperand(at, (unsigned)i));
        latest = cycles > latest ? cycles : latest;
    }
    return latest;
}

static bool may_contract(LLVMValueRef at) {
    return LLVMCanValueUseFastMathFlags(at) &&
           (LLVMGetFastMathFlags(at) & LLVMFastMathAllowContract) != 0;
}

static bool is_product(LLVMValueRef operand, LLVMValueRef sum) {
    LLVMUseRef use = LLVMGetFirstUse(operand);
    return LLVMIsAInstruction(operand) != NULL && LLVMGetInstructionOpcode(operand) == LLVMFMul &&
           may_contract(operand) &&
           LLVMGetInstructionParent(operand) == LLVMGetInstructionParent(sum) &&
           LLVMGetNextUse(use) == NULL;
}

static unsigned later(unsigned a, unsigned b) {
    return a > b ? a : b;
}

static bool is_handed(const Waits *waits, LLVMValueRef value) {
    return table_get(&waits->handed, value) != NULL;
}

// When a sum is there that LLVM may join with a product. Not with one that was there before; of two
// products, with the one that comes later.
static unsigned sum_cycles(Gen *gen, Waits *waits, LLVMValueRef at) {
    LLVMValueRef product = LLVMGetOperand(at, 0), other = LLVMGetOperand(at, 1);
    bool is_one = is_product(product, at), other_is = is_product(other, at);
    if (!gen->facts.fma || !may_contract(at) || !(is_one || other_is)) {
        return latest_operand(waits, at) + SUM;
    }
    if (!is_one || (other_is && cycles_of(waits, product) < cycles_of(waits, other))) {
        LLVMValueRef first = product;
        product = other;
        other = first;
    }
    bool are_both = is_one && other_is;
    unsigned soon = cycles_of(waits, other);
    if (!are_both && soon > 0 && cycles_of(waits, product) <= soon && is_handed(waits, at)) {
        LIST_PUSH(gen->arena, &waits->alone, at);
        return soon + SUM;
    }
    if (are_both && cycles_of(waits, product) > soon && is_handed(waits, at)) {
        LIST_PUSH(gen->arena, &waits->alone, other);
    }
    waits->operations--;
    return later(latest_operand(waits, product), soon) + MULTIPLY_ADD;
}

static unsigned ready_cycles(Gen *gen, Waits *waits, LLVMValueRef at) {
    unsigned latest = latest_operand(waits, at);
    switch (LLVMGetInstructionOpcode(at)) {
    case LLVMFAdd:
    case LLVMFSub: return sum_cycles(gen, waits, at);
    case LLVMFMul: return latest + PRODUCT;
    case LLVMFDiv: return latest + QUOTIENT;
    case LLVMFCmp: return latest + COMPARISON;
    case LLVMCall:
        return latest + (LLVMGetIntrinsicID(LLVMGetCalledValue(at)) != 0 ? INTRINSIC : CALL);
    default: return latest + 1;
    }
}

static void set_cycles(Gen *gen, Waits *waits, LLVMValueRef value, unsigned cycles) {
    table_set(gen->arena, &waits->cycles, value, (void *)(uintptr_t)cycles);
}

static void take_turn(Gen *gen, Waits *waits, LLVMBasicBlockRef block) {
    waits->alone.count = 0;
    waits->operations = 0;
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
         at = LLVMGetNextInstruction(at)) {
        if (LLVMIsAPHINode(at) == NULL) {
            unsigned cycles = ready_cycles(gen, waits, at);
            waits->operations += is_real(at) || LLVMIsAFCmpInst(at) != NULL;
            set_cycles(gen, waits, at, latest_operand(waits, at) > 0 ? cycles : 0);
        }
    }
}

static void hand_on(Gen *gen, Waits *waits, LLVMBasicBlockRef block) {
    unsigned last = 0;
    for (LLVMValueRef phi = LLVMGetFirstInstruction(block); LLVMIsAPHINode(phi) != NULL;
         phi = LLVMGetNextInstruction(phi)) {
        if (is_real(phi)) {
            unsigned cycles = cycles_of(waits, value_from(phi, block));
            set_cycles(gen, waits, phi, later(cycles, 1));
            last = later(last, cycles);
        }
    }
    waits->turn = last - waits->last;
    waits->last = last;
}

static void mark_handed(Gen *gen, Waits *waits, LLVMBasicBlockRef block, LLVMValueRef value) {
    if (LLVMIsAInstruction(value) != NULL && LLVMGetInstructionParent(value) == block) {
        table_set(gen->arena, &waits->handed, value, value);
    }
}

static void find_handed(Gen *gen, Waits *waits, LLVMBasicBlockRef block) {
    for (LLVMValueRef phi = LLVMGetFirstInstruction(block); LLVMIsAPHINode(phi) != NULL;
         phi = LLVMGetNextInstruction(phi)) {
        if (is_real(phi)) {
            mark_handed(gen, waits, block, value_from(phi, block));
        }
    }
    for (LLVMValueRef at = LLVMGetLastInstruction(block); at != NULL && LLVMIsAPHINode(at) == NULL;
         at = LLVMGetPreviousInstruction(at)) {
        for (int i = 0; is_handed(waits, at) && i < LLVMGetNumOperands(at); i++) {
            mark_handed(gen, waits, block, LLVMGetOperand(at, (unsigned)i));
        }
    }
}

bool waits_find(Gen *gen, LLVMBasicBlockRef block, Waits *waits) {
    *waits = (Waits){0};
    if (!hoist_is_loop(block)) {
        return false;
    }
    find_handed(gen, waits, block);
    hand_on(gen, waits, block);
    for (unsigned turn = 0; turn < TURNS && waits->cycles.count > 0; turn++) {
        take_turn(gen, waits, block);
        hand_on(gen, waits, block);
    }
    return waits->cycles.count > 0;
}

bool waits_hands_on(const Waits *waits, LLVMValueRef value) {
    return cycles_of(waits, value) > 0 && is_handed(waits, value);
}
