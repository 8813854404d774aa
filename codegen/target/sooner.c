#include "codegen/target/sooner.h"

#include "codegen/emit/lanes.h"
#include "codegen/emit/op_min_max.h"
#include "codegen/emit/types.h"
#include "codegen/options.h"
#include "codegen/target/extremes.h"
#include "codegen/target/hoist.h"
#include "codegen/target/target.h"
#include "codegen/target/waits.h"

#include <math.h>

// `limit > value ? limit : value`, or with `<`, and 0.0 that is added to it, or NULL. Without a
// limit: nothing such.
typedef struct Side {
    LLVMValueRef value, limit, added;
    bool is_max;
} Side;

// Without a zero that is added to a choice.
static LLVMValueRef bare(LLVMValueRef value) {
    bool adds = LLVMIsAInstruction(value) != NULL && LLVMGetInstructionOpcode(value) == LLVMFAdd &&
                LLVMIsNull(LLVMGetOperand(value, 1)) &&
                LLVMIsASelectInst(LLVMGetOperand(value, 0)) != NULL;
    return adds ? LLVMGetOperand(value, 0) : value;
}

// LLVM compares what is bare.
static Side side_of_choice(LLVMValueRef choice) {
    LLVMValueRef test = LLVMGetOperand(choice, 0);
    LLVMValueRef limit = LLVMGetOperand(choice, 1), value = LLVMGetOperand(choice, 2);
    if (LLVMIsAFCmpInst(test) == NULL) {
        return (Side){0};
    }
    LLVMRealPredicate predicate = LLVMGetFCmpPredicate(test);
    LLVMValueRef a = LLVMGetOperand(test, 0), b = LLVMGetOperand(test, 1);
    bool is_below = bare(a) == bare(value) && b == limit;
    bool is_side = (predicate == LLVMRealOLT || predicate == LLVMRealOGT) &&
                   (is_below || (a == limit && bare(b) == bare(value)));
    bool is_max = (predicate == LLVMRealOLT) == is_below;
    return is_side ? (Side){value, limit, NULL, is_max} : (Side){0};
}

// LLVM's own extremes are the same where the limit is a constant other than zero.
static Side side_of_extreme(LLVMValueRef at) {
    LLVMValueRef a = LLVMGetOperand(at, 0), b = LLVMGetOperand(at, 1);
    LLVMValueRef limit = LLVMIsConstant(b) ? b : a;
    bool is_side = op_min_max_is_plain(limit) && !LLVMIsNull(limit);
    return is_side ? (Side){limit == b ? a : b, limit, NULL, extremes_is_max(at)} : (Side){0};
}

// What limits a value of the loop to one side, by what stays in it.
static Side side_of(LLVMBasicBlockRef block, LLVMValueRef at) {
    Side side = {0};
    if (LLVMIsAInstruction(at) == NULL || LLVMGetInstructionParent(at) != block) {
        return side;
    }
    if (extremes_is_one(at)) {
        side = side_of_extreme(at);
    } else if (LLVMIsASelectInst(bare(at)) != NULL) {
        side = side_of_choice(bare(at));
        side.added = bare(at) != at ? LLVMGetOperand(at, 1) : NULL;
    }
    bool stays = side.limit != NULL &&
                 (LLVMIsConstant(side.limit) || hoist_can(block, side.limit, side.limit));
    return stays ? side : (Side){0};
}

// Where each of two limits, one in the other, is beyond the other.
static LLVMValueRef are_crossed(Gen *gen, const Side *outer, const Side *inner) {
    LLVMRealPredicate beyond = inner->is_max ? LLVMRealOGT : LLVMRealOLT;
    return LLVMBuildFCmp(gen->builder, beyond, inner->limit, outer->limit, "");
}

// The outer limit is asked of the value itself, not of what the inner one makes of it. Where they
// are crossed it is the result of all values: of those that are no better than infinity, and as the
// inner limit.
static void ask_both(Gen *gen, LLVMValueRef at, const Side *outer, const Side *inner) {
    LLVMBuilderRef builder = gen->builder;
    LLVMValueRef worst = outer->limit, rest = outer->value;
    if (!LLVMIsConstant(outer->limit) || !LLVMIsConstant(inner->limit)) {
        hoist_enter(gen, outer->limit, inner->limit);
        LLVMValueRef crossed = are_crossed(gen, outer, inner);
        LLVMValueRef infinity = gen_real(gen, outer->is_max ? (double)INFINITY : -(double)INFINITY);
        infinity = lanes_like(gen, infinity, worst);
        worst = LLVMBuildSelect(builder, crossed, infinity, outer->limit, "");
        LLVMValueRef limit = LLVMBuildSelect(builder, crossed, outer->limit, inner->limit, "");
        LLVMValueRef added = inner->added;
        if (added != NULL) { // -0.0 changes nothing
            LLVMValueRef none = lanes_like(gen, gen_real(gen, -0.0), worst);
            added = LLVMBuildSelect(builder, crossed, none, added, "");
        }
        LLVMPositionBuilderBefore(builder, at);
        rest = op_min_max_one(gen, inner->is_max, limit, inner->value);
        rest = added == NULL ? rest : LLVMBuildFAdd(builder, rest, added, "");
    }
    LLVMPositionBuilderBefore(builder, at);
    LLVMValueRef is_beyond =
        LLVMBuildFCmp(builder, outer->is_max ? LLVMRealOLT : LLVMRealOGT, inner->value, worst, "");
    LLVMReplaceAllUsesWith(at, LLVMBuildSelect(builder, is_beyond, outer->limit, rest, ""));
    LLVMInstructionEraseFromParent(at);
}

static void change_limits(Gen *gen, LLVMValueRef at) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(at);
    Side outer = side_of(block, at);
    Side inner = outer.limit == NULL ? outer : side_of(block, outer.value);
    if (inner.limit == NULL || inner.is_max == outer.is_max) {
        return;
    }
    LLVMPositionBuilderBefore(gen->builder, at);
    if (LLVMIsConstant(outer.limit) && LLVMIsConstant(inner.limit)
            ? LLVMIsNull(are_crossed(gen, &outer, &inner))
            : hoist_can(block, outer.limit, inner.limit)) {
        ask_both(gen, at, &outer, &inner);
    }
}

// Flags of an instruction can be added, but not taken away.
static void leave_alone(Gen *gen, LLVMValueRef at) {
    LLVMPositionBuilderBefore(gen->builder, at);
    LLVMValueRef alone = LLVMBuildBinOp(gen->builder, LLVMGetInstructionOpcode(at),
                                        LLVMGetOperand(at, 0), LLVMGetOperand(at, 1), "");
    LLVMFastMathFlags flags = LLVMGetFastMathFlags(at);
    LLVMSetFastMathFlags(alone, flags & ~(unsigned)LLVMFastMathAllowContract);
    LLVMReplaceAllUsesWith(at, alone);
    LLVMInstructionEraseFromParent(at);
}

static void change_loop(Gen *gen, LLVMBasicBlockRef block, bool chooses_soon) {
    Waits waits;
    if (!waits_find(gen, block, &waits)) {
        return;
    }
    bool has_room = waits.operations <= 2 * waits.turn; // two begin in each cycle
    for (size_t i = 0; i < waits.alone.count && has_room; i++) {
        leave_alone(gen, waits.alone.items[i]);
    }
    LLVMValueRef next;
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL && chooses_soon; at = next) {
        next = LLVMGetNextInstruction(at);
        bool may_limit = extremes_is_one(at) || LLVMIsASelectInst(at) != NULL;
        if (may_limit && waits_hands_on(&waits, at)) {
            change_limits(gen, at);
        }
    }
}

void sooner_late(Gen *gen) {
    bool chooses_soon = gen->facts.mask_registers && !gen->target.is_zen;
    bool joins = gen->options->fp == FP_CONTRACT || gen->options->fp == FP_FAST;
    if (!gen->facts.selects || gen->facts.small || !(chooses_soon || joins)) {
        return;
    }
    for (LLVMValueRef at = LLVMGetFirstFunction(gen->module); at != NULL;
         at = LLVMGetNextFunction(at)) {
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(at); block != NULL;
             block = LLVMGetNextBasicBlock(block)) {
            change_loop(gen, block, chooses_soon);
        }
    }
}
