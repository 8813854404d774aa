// LLVM chooses instructions block by block. A vector whose length is no power of two and that is
// longer than a register goes from one block to the next as scalars, one for each lane, and is put
// together again there: sums down seven columns took more than four times as long. So phis, and
// what another block reads, become vectors of the next power of two, with any values in the lanes
// behind; readers take the first lanes, which is no instruction. So do limits, because LLVM does
// not take a constant for a number whose last lanes may be any: three instructions instead of one.
#include "codegen/target/odd_vectors.h"

#include "codegen/target/extremes.h"
#include "support/table.h"

enum { WIDE_LIMIT = 256 }; // lanes

typedef struct Values {
    LLVMValueRef *items;
    size_t count, capacity;
} Values;

typedef struct Widener {
    Gen *gen;
    Values odd;  // phis, and what another block reads
    Table wides; // of each, the vector that stands for it
} Widener;

static bool is_phi(LLVMValueRef value) {
    return LLVMIsAPHINode(value) != NULL;
}

static bool is_odd(LLVMValueRef value) {
    LLVMTypeRef type = LLVMTypeOf(value);
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind) {
        return false;
    }
    unsigned lanes = LLVMGetVectorSize(type);
    return lanes < WIDE_LIMIT && (lanes & (lanes - 1)) != 0;
}

static bool is_read_elsewhere(LLVMValueRef value) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(value);
    for (LLVMUseRef use = LLVMGetFirstUse(value); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (is_phi(user) || LLVMGetInstructionParent(user) != block) {
            return true;
        }
    }
    return false;
}

static void find_odd(Widener *widener, LLVMValueRef function) {
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
             at = LLVMGetNextInstruction(at)) {
            if (is_odd(at) && (is_phi(at) || is_read_elsewhere(at))) {
                LIST_PUSH(widener->gen->arena, &widener->odd, at);
            }
        }
    }
}

// The first `lanes` of a vector, those that it has not being any.
static LLVMValueRef first_lanes(Gen *gen, LLVMValueRef vector, unsigned lanes) {
    unsigned own = LLVMGetVectorSize(LLVMTypeOf(vector));
    LLVMValueRef numbers[WIDE_LIMIT];
    for (unsigned i = 0; i < lanes; i++) {
        numbers[i] = i < own ? LLVMConstInt(gen->i32, i, false) : LLVMGetPoison(gen->i32);
    }
    return LLVMBuildShuffleVector(gen->builder, vector, LLVMGetPoison(LLVMTypeOf(vector)),
                                  LLVMConstVector(numbers, lanes), "");
}

static unsigned wide_lanes(LLVMValueRef vector) {
    unsigned lanes = 1;
    while (lanes < LLVMGetVectorSize(LLVMTypeOf(vector))) {
        lanes *= 2;
    }
    return lanes;
}

static LLVMValueRef behind_phis(LLVMValueRef instruction) {
    while (is_phi(instruction)) {
        instruction = LLVMGetNextInstruction(instruction);
    }
    return instruction;
}

// Phis get their values when all others are there.
static LLVMValueRef widened(Gen *gen, LLVMValueRef value) {
    unsigned lanes = wide_lanes(value);
    if (is_phi(value)) {
        LLVMPositionBuilderBefore(gen->builder, value);
        LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(value));
        return LLVMBuildPhi(gen->builder, LLVMVectorType(element, lanes), "");
    }
    LLVMPositionBuilderBefore(gen->builder, behind_phis(LLVMGetNextInstruction(value)));
    return first_lanes(gen, value, lanes);
}

// What reads an odd vector and is no phi, but for what follows in the block that computes it.
static Values readers_of(Arena *arena, LLVMValueRef value, LLVMValueRef wide) {
    LLVMBasicBlockRef block = is_phi(value) ? NULL : LLVMGetInstructionParent(value);
    Values readers = {0};
    for (LLVMUseRef use = LLVMGetFirstUse(value); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (user != wide && !is_phi(user) && LLVMGetInstructionParent(user) != block) {
            LIST_PUSH(arena, &readers, user);
        }
    }
    return readers;
}

static void read_wide(Gen *gen, LLVMValueRef value, LLVMValueRef wide) {
    Values readers = readers_of(gen->arena, value, wide);
    for (size_t i = 0; i < readers.count; i++) {
        LLVMValueRef reader = readers.items[i];
        LLVMPositionBuilderBefore(gen->builder, reader);
        LLVMValueRef narrow = NULL;
        for (int k = 0; k < LLVMGetNumOperands(reader); k++) {
            if (LLVMGetOperand(reader, (unsigned)k) == value) {
                unsigned lanes = LLVMGetVectorSize(LLVMTypeOf(value));
                narrow = narrow == NULL ? first_lanes(gen, wide, lanes) : narrow;
                LLVMSetOperand(reader, (unsigned)k, narrow);
            }
        }
    }
}

// What an odd phi has got from one of its predecessors.
static LLVMValueRef wide_incoming(const Widener *widener, LLVMValueRef phi, unsigned number) {
    LLVMValueRef value = LLVMGetIncomingValue(phi, number);
    LLVMValueRef wide = table_get(&widener->wides, value);
    if (wide != NULL) {
        return wide;
    }
    LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, number);
    LLVMPositionBuilderBefore(widener->gen->builder, LLVMGetBasicBlockTerminator(from));
    return first_lanes(widener->gen, value, wide_lanes(phi));
}

static void widen_phi(const Widener *widener, LLVMValueRef phi) {
    LLVMValueRef wide = table_get(&widener->wides, phi);
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
        LLVMValueRef value = wide_incoming(widener, phi, k);
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, k);
        LLVMAddIncoming(wide, &value, &from, 1);
    }
}

// A constant with its first lane once more behind its own, or the value with any.
static LLVMValueRef wide_operand(Gen *gen, LLVMValueRef operand) {
    unsigned lanes = wide_lanes(operand);
    if (!LLVMIsConstant(operand)) {
        return first_lanes(gen, operand, lanes);
    }
    LLVMValueRef values[WIDE_LIMIT];
    for (unsigned i = 0; i < lanes; i++) {
        bool is_own = i < LLVMGetVectorSize(LLVMTypeOf(operand));
        values[i] = LLVMGetAggregateElement(operand, is_own ? i : 0);
    }
    return LLVMConstVector(values, lanes);
}

static void widen_limit(Gen *gen, LLVMValueRef at) {
    LLVMPositionBuilderBefore(gen->builder, at);
    LLVMValueRef a = wide_operand(gen, LLVMGetOperand(at, 0));
    LLVMValueRef b = wide_operand(gen, LLVMGetOperand(at, 1));
    LLVMValueRef wide = extremes_again(gen, at, a, b);
    LLVMReplaceAllUsesWith(at, first_lanes(gen, wide, LLVMGetVectorSize(LLVMTypeOf(at))));
    LLVMInstructionEraseFromParent(at);
}

static bool is_limit(LLVMValueRef at) {
    return extremes_is_one(at) && is_odd(at) &&
           (LLVMIsConstant(LLVMGetOperand(at, 0)) || LLVMIsConstant(LLVMGetOperand(at, 1)));
}

static void widen_limits(Gen *gen, LLVMValueRef function) {
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        LLVMValueRef next;
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL; at = next) {
            next = LLVMGetNextInstruction(at);
            if (is_limit(at)) {
                widen_limit(gen, at);
            }
        }
    }
}

static void widen(Gen *gen, LLVMValueRef function) {
    Widener widener = {.gen = gen};
    find_odd(&widener, function);
    for (size_t i = 0; i < widener.odd.count; i++) {
        LLVMValueRef value = widener.odd.items[i];
        LLVMValueRef wide = widened(gen, value);
        table_set(gen->arena, &widener.wides, value, wide);
        read_wide(gen, value, wide);
    }
    for (size_t i = 0; i < widener.odd.count; i++) {
        if (is_phi(widener.odd.items[i])) {
            widen_phi(&widener, widener.odd.items[i]);
        }
    }
    for (size_t i = 0; i < widener.odd.count; i++) { // by now only phis among each other read them
        LLVMValueRef value = widener.odd.items[i];
        if (is_phi(value)) {
            LLVMReplaceAllUsesWith(value, LLVMGetPoison(LLVMTypeOf(value)));
            LLVMInstructionEraseFromParent(value);
        }
    }
}

void odd_vectors_widen(Gen *gen) {
    for (LLVMValueRef at = LLVMGetFirstFunction(gen->module); at != NULL;
         at = LLVMGetNextFunction(at)) {
        widen_limits(gen, at);
        widen(gen, at);
    }
}
