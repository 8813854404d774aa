// See carried.h. A state that lies in memory in another order than its vectors has become scalars
// by the time that `step_n` keeps it in registers:
//
//     a = phi [a0, a1]                            v = phi [(a0, b0), w]
//     b = phi [b0, b1]                            ...
//     v = (a, b)                                  w = ...
//     ...
//     w = ...
//     a1 = w[0], b1 = w[1]
//
// Where a delay hands on what it has got, as `c = phi [c0, a]` does, that is a lane of `v`, too.
#include "codegen/target/carried.h"

#include "codegen/target/values.h"
#include "support/table.h"

enum { LANES_MOST = 64 };

// A lane of a vector; or a scalar, where that is no vector.
typedef struct Lane {
    LLVMValueRef value;
    unsigned number;
} Lane;

typedef struct Joiner {
    Gen *gen;
    Table joined; // Lane of a vector that has been made, for a phi
} Joiner;

static bool is_kind(LLVMValueRef value, LLVMOpcode opcode) {
    return LLVMIsAInstruction(value) != NULL && LLVMGetInstructionOpcode(value) == opcode;
}

// Whether it is an insert or an extract at a place that is known.
static bool is_at_known(LLVMValueRef value, LLVMOpcode opcode, unsigned operand, unsigned *number) {
    LLVMValueRef index = is_kind(value, opcode) ? LLVMGetOperand(value, operand) : NULL;
    if (index == NULL || LLVMIsAConstantInt(index) == NULL) {
        return false;
    }
    *number = (unsigned)LLVMConstIntGetZExtValue(index);
    return true;
}

// Where the lane comes from, through what moves lanes. Its value is NULL: it is any.
static Lane origin_of(const Joiner *joiner, Lane lane) {
    for (;;) {
        unsigned number;
        LLVMValueRef value = lane.value;
        if (is_at_known(value, LLVMExtractElement, 1, &number)) {
            lane = (Lane){LLVMGetOperand(value, 0), number};
        } else if (is_at_known(value, LLVMInsertElement, 2, &number)) {
            bool is_here = number == lane.number;
            lane = is_here ? (Lane){LLVMGetOperand(value, 1), 0}
                           : (Lane){LLVMGetOperand(value, 0), lane.number};
        } else if (is_kind(value, LLVMShuffleVector)) {
            int from = LLVMGetMaskValue(value, lane.number);
            unsigned own = LLVMGetVectorSize(LLVMTypeOf(LLVMGetOperand(value, 0)));
            if (from < 0) {
                return (Lane){NULL, 0};
            }
            bool is_first = (unsigned)from < own;
            lane = (Lane){LLVMGetOperand(value, is_first ? 0 : 1),
                          is_first ? (unsigned)from : (unsigned)from - own};
        } else {
            const Lane *joined = table_get(&joiner->joined, value);
            return joined != NULL ? *joined : lane;
        }
    }
}

// What a phi hands on from its predecessor `k`.
static Lane incoming(const Joiner *joiner, Lane phi, unsigned k) {
    return origin_of(joiner, (Lane){LLVMGetIncomingValue(phi.value, k), phi.number});
}

// Who reads a scalar phi that is a lane of a vector.
typedef struct Readers {
    bool is_delayed; // another phi, which is the same lane of a vector
    unsigned others; // in the loop
    LIST_OF(LLVMValueRef) behind;
} Readers;

static bool is_put_in(LLVMValueRef phi, unsigned lane) {
    for (LLVMUseRef use = LLVMGetFirstUse(phi); use != NULL; use = LLVMGetNextUse(use)) {
        unsigned number;
        LLVMValueRef user = LLVMGetUser(use);
        if (is_at_known(user, LLVMInsertElement, 2, &number) && number == lane) {
            return true;
        }
    }
    return false;
}

static Readers readers_of(Arena *arena, LLVMValueRef phi, unsigned lane) {
    Readers readers = {0};
    for (LLVMUseRef use = LLVMGetFirstUse(phi); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        LLVMBasicBlockRef block = LLVMGetInstructionParent(user);
        if (LLVMIsAPHINode(user) != NULL) {
            readers.is_delayed |= is_put_in(user, lane);
        } else if (block == LLVMGetInstructionParent(phi) ||
                   block == LLVMGetIncomingBlock(phi, 0) || block == LLVMGetIncomingBlock(phi, 1)) {
            readers.others++;
        } else {
            LIST_PUSH(arena, &readers.behind, user);
        }
    }
    return readers;
}

// Whether two phis have their values from the same blocks, in the same order.
static bool comes_from_same(LLVMValueRef a, LLVMValueRef b) {
    return LLVMGetInstructionParent(a) == LLVMGetInstructionParent(b) &&
           LLVMGetIncomingBlock(a, 0) == LLVMGetIncomingBlock(b, 0);
}

// A vector that is put together of phis.
typedef struct Parts {
    Lane lanes[LANES_MOST];
    unsigned count;
    LLVMTypeRef type;
    LLVMBasicBlockRef block; // of all of the phis
    bool is_delayed;         // phis of another one read them
} Parts;

// False: it is made of something else, or of one phi in all lanes, or phis are also read otherwise,
// and so stay.
static bool find_parts(const Joiner *joiner, LLVMValueRef vector, Parts *parts) {
    *parts = (Parts){.type = LLVMTypeOf(vector), .count = LLVMGetVectorSize(LLVMTypeOf(vector))};
    if (parts->count > LANES_MOST) {
        return false;
    }
    for (unsigned i = 0; i < parts->count; i++) {
        parts->lanes[i] = origin_of(joiner, (Lane){vector, i});
        LLVMValueRef phi = parts->lanes[i].value;
        if (phi == NULL || LLVMIsAPHINode(phi) == NULL || LLVMCountIncoming(phi) != 2 ||
            (i > 0 && !comes_from_same(phi, parts->lanes[0].value))) {
            return false;
        }
        parts->block = LLVMGetInstructionParent(phi);
        if (!value_is_vector(phi)) {
            Readers readers = readers_of(joiner->gen->arena, phi, i);
            parts->is_delayed = parts->is_delayed || readers.is_delayed;
            if (readers.others > 1 || (i > 0 && phi == parts->lanes[0].value)) {
                return false;
            }
        }
    }
    return parts->count > 0;
}

// The vector that all lanes are handed on from predecessor `k` as they are; NULL: there is none.
static LLVMValueRef handed_on(const Joiner *joiner, const Parts *parts, unsigned k) {
    LLVMValueRef all = incoming(joiner, parts->lanes[0], k).value;
    if (all == NULL || LLVMTypeOf(all) != parts->type || LLVMIsAInstruction(all) == NULL) {
        return NULL;
    }
    for (unsigned i = 0; i < parts->count; i++) {
        Lane lane = incoming(joiner, parts->lanes[i], k);
        if (lane.value != all || lane.number != i) {
            return NULL;
        }
    }
    return all;
}

// The same put together at the end of predecessor `k`.
static LLVMValueRef put_together(Gen *gen, const Parts *parts, unsigned k) {
    LLVMBasicBlockRef from = LLVMGetIncomingBlock(parts->lanes[0].value, k);
    LLVMPositionBuilderBefore(gen->builder, LLVMGetBasicBlockTerminator(from));
    LLVMValueRef all = LLVMGetPoison(parts->type);
    for (unsigned i = 0; i < parts->count; i++) {
        Lane lane = parts->lanes[i];
        LLVMValueRef value = LLVMGetIncomingValue(lane.value, k);
        if (value_is_vector(value)) {
            LLVMValueRef number = LLVMConstInt(gen->i32, lane.number, false);
            value = LLVMBuildExtractElement(gen->builder, value, number, "");
        }
        all =
            LLVMBuildInsertElement(gen->builder, all, value, LLVMConstInt(gen->i32, i, false), "");
    }
    return all;
}

// Reads a lane of the vector behind the loop.
static void read_behind(Gen *gen, LLVMValueRef scalar, LLVMValueRef phi, unsigned number) {
    Readers readers = readers_of(gen->arena, scalar, number);
    for (size_t i = 0; i < readers.behind.count; i++) {
        LLVMValueRef reader = readers.behind.items[i];
        LLVMPositionBuilderBefore(gen->builder, reader);
        LLVMValueRef lane =
            LLVMBuildExtractElement(gen->builder, phi, LLVMConstInt(gen->i32, number, false), "");
        for (int k = 0; k < LLVMGetNumOperands(reader); k++) {
            if (LLVMGetOperand(reader, (unsigned)k) == scalar) {
                LLVMSetOperand(reader, (unsigned)k, lane);
            }
        }
    }
}

static void use_joined(Joiner *joiner, const Parts *parts, LLVMValueRef phi) {
    for (unsigned i = 0; i < parts->count; i++) {
        LLVMValueRef scalar = parts->lanes[i].value;
        if (!value_is_vector(scalar)) {
            Lane *lane = ARENA_NEW(joiner->gen->arena, Lane);
            *lane = (Lane){phi, i};
            table_set(joiner->gen->arena, &joiner->joined, scalar, lane);
            read_behind(joiner->gen, scalar, phi, i);
        }
    }
}

// The phi that stands for a vector; NULL: there is none.
static LLVMValueRef join(Joiner *joiner, LLVMValueRef vector) {
    Gen *gen = joiner->gen;
    Parts parts;
    if (!find_parts(joiner, vector, &parts)) {
        return NULL;
    }
    LLVMValueRef handed[] = {handed_on(joiner, &parts, 0), handed_on(joiner, &parts, 1)};
    if (handed[0] == NULL && handed[1] == NULL && !parts.is_delayed) {
        return NULL;
    }
    LLVMBasicBlockRef from[2];
    for (unsigned k = 0; k < 2; k++) {
        from[k] = LLVMGetIncomingBlock(parts.lanes[0].value, k);
        handed[k] = handed[k] != NULL ? handed[k] : put_together(gen, &parts, k);
    }
    LLVMPositionBuilderBefore(gen->builder, LLVMGetFirstInstruction(parts.block));
    LLVMValueRef phi = LLVMBuildPhi(gen->builder, parts.type, "carried");
    LLVMAddIncoming(phi, handed, from, 2);
    use_joined(joiner, &parts, phi);
    return phi;
}

static bool puts_together(LLVMValueRef value) {
    return is_kind(value, LLVMInsertElement) || is_kind(value, LLVMShuffleVector);
}

// Whether something was joined.
static bool join_in(Joiner *joiner, LLVMBasicBlockRef block) {
    bool found = false;
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
         at = LLVMGetNextInstruction(at)) {
        LLVMValueRef phi =
            puts_together(at) && LLVMGetFirstUse(at) != NULL ? join(joiner, at) : NULL;
        if (phi != NULL) {
            LLVMReplaceAllUsesWith(at, phi);
            found = true;
        }
    }
    return found;
}

void carried_join(Gen *gen) {
    for (LLVMValueRef at = LLVMGetFirstFunction(gen->module); at != NULL;
         at = LLVMGetNextFunction(at)) {
        Joiner joiner = {.gen = gen};
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(at); block != NULL;
             block = LLVMGetNextBasicBlock(block)) {
            while (join_in(&joiner, block)) {
            }
        }
    }
}
