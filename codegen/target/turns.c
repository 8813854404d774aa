// LLVM writes out as many turns of a loop as fit into what a processor is said to keep decoded:
// with the models of the last ones that are 512 instructions, eight turns of nearly every loop. The
// turns of our loops are vectors, and sums have several accumulators, so that a loop that only
// reads gains nothing by it. One that writes as well does: what the next turns read then stands
// before what this one writes, for which processors else wait where the addresses agree in their
// last twelve bits, as those of arrays of some pages do (choosing by a mask takes 1.4 times as
// long). So does one that looks at one scalar after the other: what counts its turns is as much as
// what they do, and with fewer operations the processor has more rows at hand at a time (the
// greatest of each of 12 rows of 64 in a quarter of the time).
#include "codegen/target/turns.h"

#include "codegen/emit/loop.h"
#include "codegen/target/values.h"

enum {
    TURNS_MOST = 4,
    TURNS_COST = 64,   // operations on registers, of all turns together
    TURNS_WRITTEN = 4, // vectors, which a turn may write by itself (plan/pieces.h)
    // The same where there are no vectors: one operation at a time, counting among them.
    TURNS_SCALAR_COST = 16,
    COUNTING = 2, // operations
};

// Registers that a value fills.
static unsigned registers(Gen *gen, LLVMValueRef value) {
    LLVMTypeRef type = LLVMTypeOf(value);
    unsigned long long each = gen->facts.vector_bytes;
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind || each == 0) {
        return 1;
    }
    return (unsigned)((LLVMStoreSizeOfType(gen->target.layout, type) + each - 1) / each);
}

// What a turn does beside finding addresses.
typedef struct Turn {
    unsigned cost;
    bool writes, has_vectors;
    unsigned vectors_written; // registers
} Turn;

static Turn turn_of(Gen *gen, LLVMBasicBlockRef block) {
    Turn turn = {0};
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
         at = LLVMGetNextInstruction(at)) {
        turn.has_vectors |= value_is_vector(at);
        if (LLVMIsAStoreInst(at) != NULL) {
            LLVMValueRef value = LLVMGetOperand(at, 0);
            turn.writes = true;
            turn.vectors_written += value_is_vector(value) ? registers(gen, value) : 0;
            turn.cost += registers(gen, value);
        } else if (LLVMIsAPHINode(at) == NULL && LLVMIsAGetElementPtrInst(at) == NULL &&
                   LLVMIsATerminatorInst(at) == NULL) {
            turn.cost += registers(gen, at);
        }
    }
    return turn;
}

// How many turns are worth writing out.
static unsigned most_turns(Gen *gen, Turn turn) {
    if (!gen->facts.vectors) {
        return turn.cost == 0 ? 1 : TURNS_SCALAR_COST / turn.cost;
    }
    unsigned by_cost = TURNS_COST / turn.cost;
    if (turn.vectors_written == 0) {
        return by_cost;
    }
    unsigned by_written = TURNS_WRITTEN / turn.vectors_written;
    return by_cost < by_written ? by_cost : by_written;
}

// How many of so many turns are written out.
static unsigned chosen_turns(Gen *gen, Turn turn, uint64_t turns) {
    if (gen->facts.vectors && !turn.writes) {
        bool is_short = !turn.has_vectors && turn.cost > COUNTING;
        return is_short ? TURNS_SCALAR_COST / (turn.cost - COUNTING) : 1;
    }
    unsigned most = most_turns(gen, turn), count = TURNS_MOST;
    while (count > 1 && (turns % count != 0 || count > most)) {
        count /= 2;
    }
    return count;
}

// The branch by which a block is a loop of its own, or NULL.
static LLVMValueRef own_branch(LLVMBasicBlockRef block) {
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(block);
    if (LLVMIsABranchInst(branch) == NULL || !LLVMIsConditional(branch)) {
        return NULL;
    }
    return LLVMGetSuccessor(branch, 0) == block || LLVMGetSuccessor(branch, 1) == block ? branch
                                                                                        : NULL;
}

static bool constant_of(LLVMValueRef value, uint64_t *constant) {
    if (LLVMIsAConstantInt(value) == NULL) {
        return false;
    }
    *constant = LLVMConstIntGetZExtValue(value);
    return true;
}

// What a phi of a block that is a loop is before the first turn.
static bool first_of(LLVMValueRef phi, LLVMBasicBlockRef block, uint64_t *first) {
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
        if (LLVMGetIncomingBlock(phi, k) != block) {
            return constant_of(LLVMGetIncomingValue(phi, k), first);
        }
    }
    return false;
}

// How often a loop turns that compares its next index with a constant, or 0.
static uint64_t turns_of(LLVMBasicBlockRef block, LLVMValueRef branch) {
    LLVMValueRef compared = LLVMGetCondition(branch);
    uint64_t first, step, last;
    if (LLVMIsAICmpInst(compared) == NULL || !constant_of(LLVMGetOperand(compared, 1), &last)) {
        return 0;
    }
    LLVMValueRef next = LLVMGetOperand(compared, 0);
    if (LLVMIsAInstruction(next) == NULL || LLVMGetInstructionOpcode(next) != LLVMAdd) {
        return 0;
    }
    LLVMValueRef index = LLVMGetOperand(next, 0);
    if (LLVMIsAPHINode(index) == NULL || LLVMGetInstructionParent(index) != block ||
        !constant_of(LLVMGetOperand(next, 1), &step) || !first_of(index, block, &first)) {
        return 0;
    }
    return step != 0 && last > first && (last - first) % step == 0 ? (last - first) / step : 0;
}

static void choose(Gen *gen, LLVMBasicBlockRef block) {
    LLVMValueRef branch = own_branch(block);
    if (branch == NULL) {
        return;
    }
    uint64_t turns = turns_of(block, branch);
    unsigned count = chosen_turns(gen, turn_of(gen, block), turns);
    if (count > 1 && turns > count) {
        loop_write_turns(gen, branch, count);
    }
}

// What runs once is small (entry.c).
static bool is_small(LLVMValueRef function) {
    LLVMAttributeIndex index = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    unsigned kind = LLVMGetEnumAttributeKindForName("optsize", 7);
    return LLVMGetEnumAttributeAtIndex(function, index, kind) != NULL;
}

void turns_choose(Gen *gen) {
    for (LLVMValueRef at = LLVMGetFirstFunction(gen->module); at != NULL;
         at = LLVMGetNextFunction(at)) {
        for (LLVMBasicBlockRef block = is_small(at) ? NULL : LLVMGetFirstBasicBlock(at);
             block != NULL; block = LLVMGetNextBasicBlock(block)) {
            choose(gen, block);
        }
    }
}
