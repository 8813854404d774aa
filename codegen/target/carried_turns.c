// See carried_turns.h. A loop that keeps the last two values,
//
//     older = phi [_, last]
//     last = phi [_, now]
//     now = ...
//
// ends each turn with moves from register to register, which many processors do as any other
// operation where vectors are wide, and the next turn waits for them. Of two turns written one
// after the other there are none: what was `last` is what the second reads as `older`, and `now`
// goes to the register of `older`. So it is with a vector that one branch of a turn changes and
// another leaves as it was. Turns that read an array at several places share what they load.
#include "codegen/target/carried_turns.h"

#include "codegen/emit/loop.h"
#include "codegen/target/values.h"

enum {
    CARRIED_TURNS = 2, // of a loop that carries vectors
    DELAY_TURNS = 4,   // at most, of one that hands them on from one to the next
    CARRIED_MOST = 6,  // vectors: with more of them, turns side by side have too few registers
    CARRIED_COST = 64, // operations of a turn
    SHORT_COST = 24,   // of one that carries none
    ALL_COST = 256,    // of all turns together
    BLOCKS_MOST = 16,
    JOINS_MOST = 4, // of branches, one in the other
};

typedef struct CarriedLoop {
    LLVMBasicBlockRef header, latch;
    LLVMBasicBlockRef blocks[BLOCKS_MOST];
    unsigned count;
} CarriedLoop;

static bool is_vector_phi(LLVMValueRef value) {
    return LLVMIsAPHINode(value) != NULL && value_is_vector(value);
}

// The phi of the header, other than `phi`, that a value is after some branch; NULL: there is none.
static LLVMValueRef handed_from(const CarriedLoop *loop, LLVMValueRef value, LLVMValueRef phi,
                                unsigned joins) {
    if (value == NULL || !is_vector_phi(value)) {
        return NULL;
    }
    if (LLVMGetInstructionParent(value) == loop->header) {
        return value != phi ? value : NULL;
    }
    LLVMValueRef from = NULL;
    for (unsigned k = 0; k < LLVMCountIncoming(value) && from == NULL && joins > 0; k++) {
        from = handed_from(loop, LLVMGetIncomingValue(value, k), phi, joins - 1);
    }
    return from;
}

// For how many turns a value is kept that arrives at `phi`.
static unsigned delay_of(const CarriedLoop *loop, LLVMValueRef phi) {
    unsigned turns = 1;
    while (phi != NULL && turns < DELAY_TURNS) {
        phi = handed_from(loop, value_from(phi, loop->latch), phi, JOINS_MOST);
        turns += phi != NULL;
    }
    return turns;
}

static bool has_block(const CarriedLoop *loop, LLVMBasicBlockRef block) {
    for (unsigned i = 0; i < loop->count; i++) {
        if (loop->blocks[i] == block) {
            return true;
        }
    }
    return false;
}

// False: there are too many.
static bool add_block(CarriedLoop *loop, LLVMBasicBlockRef block) {
    if (has_block(loop, block)) {
        return true;
    }
    if (loop->count == BLOCKS_MOST) {
        return false;
    }
    loop->blocks[loop->count++] = block;
    return true;
}

// The blocks from which the latch is reached.
static bool find_blocks(CarriedLoop *loop) {
    loop->count = 0;
    add_block(loop, loop->header);
    add_block(loop, loop->latch);
    for (unsigned i = 1; i < loop->count; i++) {
        LLVMValueRef block = LLVMBasicBlockAsValue(loop->blocks[i]);
        for (LLVMUseRef use = LLVMGetFirstUse(block); use != NULL; use = LLVMGetNextUse(use)) {
            if (!add_block(loop, LLVMGetInstructionParent(LLVMGetUser(use)))) {
                return false;
            }
        }
    }
    return true;
}

// Whether all ways on within the loop are settled.
static bool leads_on(const CarriedLoop *loop, LLVMBasicBlockRef block, const bool *settled) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++) {
        LLVMBasicBlockRef next = LLVMGetSuccessor(end, k);
        for (unsigned i = 1; i < loop->count; i++) {
            if (loop->blocks[i] == next && !settled[i]) {
                return false;
            }
        }
    }
    return true;
}

// Whether no loop is inside: all blocks lead to the header, the last ones first.
static bool is_innermost(const CarriedLoop *loop) {
    bool settled[BLOCKS_MOST] = {false};
    unsigned count = 0;
    for (bool goes_on = true; goes_on;) {
        goes_on = false;
        for (unsigned i = 0; i < loop->count; i++) {
            if (!settled[i] && leads_on(loop, loop->blocks[i], settled)) {
                settled[i] = goes_on = true;
                count++;
            }
        }
    }
    return count == loop->count;
}

static unsigned cost_of(const CarriedLoop *loop) {
    unsigned cost = 0;
    for (unsigned i = 0; i < loop->count; i++) {
        for (LLVMValueRef at = LLVMGetFirstInstruction(loop->blocks[i]); at != NULL;
             at = LLVMGetNextInstruction(at)) {
            cost += LLVMIsAPHINode(at) == NULL && LLVMIsAGetElementPtrInst(at) == NULL;
        }
    }
    return cost;
}

// Whether a turn of at most SHORT_COST reads vectors at several places of one array, where the next
// one may read again.
static bool reads_again(const CarriedLoop *loop) {
    LLVMValueRef arrays[SHORT_COST];
    unsigned count = 0;
    for (LLVMValueRef at = LLVMGetFirstInstruction(loop->header); at != NULL;
         at = LLVMGetNextInstruction(at)) {
        if (LLVMIsALoadInst(at) == NULL || !value_is_vector(at)) {
            continue;
        }
        arrays[count] = value_array(LLVMGetOperand(at, 0));
        for (unsigned i = 0; i < count; i++) {
            if (arrays[i] == arrays[count]) {
                return true;
            }
        }
        count++;
    }
    return false;
}

// Whether another turn follows where a counter, which will be `value`, is not yet what no constant
// is.
static bool counts_to_unknown(LLVMValueRef branch, LLVMValueRef value) {
    if (LLVMIsABranchInst(branch) == NULL || !LLVMIsConditional(branch)) {
        return false;
    }
    LLVMValueRef test = LLVMGetCondition(branch);
    if (LLVMIsAICmpInst(test) == NULL) {
        return false;
    }
    LLVMValueRef a = LLVMGetOperand(test, 0), b = LLVMGetOperand(test, 1);
    return (a == value && !LLVMIsConstant(b)) || (b == value && !LLVMIsConstant(a));
}

// The latch of a header whose loop counts to what is not known, or NULL.
static LLVMBasicBlockRef latch_of(LLVMBasicBlockRef header) {
    for (LLVMValueRef phi = LLVMGetFirstInstruction(header); LLVMIsAPHINode(phi) != NULL;
         phi = LLVMGetNextInstruction(phi)) {
        for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
            LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, k);
            if (counts_to_unknown(LLVMGetBasicBlockTerminator(from),
                                  LLVMGetIncomingValue(phi, k))) {
                return from;
            }
        }
    }
    return NULL;
}

static unsigned turns_of(const CarriedLoop *loop) {
    unsigned vectors = 0, turns = CARRIED_TURNS, cost = cost_of(loop);
    for (LLVMValueRef phi = LLVMGetFirstInstruction(loop->header); LLVMIsAPHINode(phi) != NULL;
         phi = LLVMGetNextInstruction(phi)) {
        if (value_is_vector(phi)) {
            unsigned delay = delay_of(loop, phi);
            turns = delay > turns ? delay : turns;
            vectors++;
        }
    }
    bool is_short = vectors > 0 ? cost <= CARRIED_COST : cost <= SHORT_COST && reads_again(loop);
    if (!is_short || (vectors > CARRIED_MOST && turns == CARRIED_TURNS)) {
        return 1;
    }
    return turns * cost <= ALL_COST ? turns : CARRIED_TURNS;
}

static void choose(Gen *gen, LLVMBasicBlockRef header) {
    CarriedLoop loop = {.header = header, .latch = latch_of(header)};
    if (loop.latch == NULL || !find_blocks(&loop) || !is_innermost(&loop)) {
        return;
    }
    unsigned turns = turns_of(&loop);
    if (turns > 1) {
        loop_write_turns(gen, LLVMGetBasicBlockTerminator(loop.latch), turns);
    }
}

void carried_turns_choose(Gen *gen) {
    for (LLVMValueRef at = LLVMGetFirstFunction(gen->module); at != NULL;
         at = LLVMGetNextFunction(at)) {
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(at); block != NULL;
             block = LLVMGetNextBasicBlock(block)) {
            choose(gen, block);
        }
    }
}
