// `u == clamp(u, low, high)`, the usual question before an integral goes on, waits for the least
// and the greatest of values that may be nan; in a loop the next turn waits for the answer. Asked
// of `u` alone it takes two comparisons beside each other:
//
//   x == max(x, low)              x >= low
//   x == min(max(x, low), high)   x >= min(low, high) and x <= high
//   x == max(min(x, high), low)   x <= max(low, high) and x >= low
//
// where all are false beside a nan. The lesser limit is there for limits that are in each other:
// the outer one is the result then, and nothing else is it.
#include "codegen/target/within.h"

#include "codegen/emit/op_min_max.h"
#include "codegen/target/extremes.h"
#include "codegen/target/hoist.h"
#include "codegen/target/instructions.h"

typedef struct Limits {
    LLVMValueRef outer; // max's, if outer_is_max
    LLVMValueRef inner; // of the other; NULL: none
    bool outer_is_max;
} Limits;

// The operand that is not `value`; NULL: neither is.
static LLVMValueRef beside(LLVMValueRef at, LLVMValueRef value) {
    LLVMValueRef a = LLVMGetOperand(at, 0), b = LLVMGetOperand(at, 1);
    return a == value ? b : b == value ? a : NULL;
}

// Whether `made` is what limits make of `value`.
static bool find_limits(LLVMValueRef made, LLVMValueRef value, Limits *limits) {
    if (!extremes_is_one(made)) {
        return false;
    }
    limits->outer_is_max = extremes_is_max(made);
    limits->inner = NULL;
    limits->outer = beside(made, value);
    for (unsigned i = 0; i < 2 && limits->outer == NULL; i++) {
        LLVMValueRef inner = LLVMGetOperand(made, i);
        if (extremes_is_one(inner) && extremes_is_max(inner) != limits->outer_is_max) {
            limits->inner = beside(inner, value);
            limits->outer = limits->inner == NULL ? NULL : LLVMGetOperand(made, 1 - i);
        }
    }
    return limits->outer != NULL;
}

static LLVMValueRef compare(Gen *gen, bool is_negated, bool is_least, LLVMValueRef value,
                            LLVMValueRef limit) {
    LLVMRealPredicate kept = is_least ? LLVMRealOGE : LLVMRealOLE;
    LLVMRealPredicate left = is_least ? LLVMRealULT : LLVMRealUGT;
    return LLVMBuildFCmp(gen->builder, is_negated ? left : kept, value, limit, "");
}

static LLVMValueRef ask_limits(Gen *gen, LLVMValueRef comparison, LLVMValueRef value,
                               const Limits *limits) {
    bool is_negated = LLVMGetFCmpPredicate(comparison) == LLVMRealUNE;
    LLVMValueRef inner = NULL;
    if (limits->inner != NULL) {
        LLVMBasicBlockRef block = LLVMGetInstructionParent(comparison);
        if (hoist_can(block, limits->outer, limits->inner)) {
            hoist_enter(gen, limits->outer, limits->inner);
        } else {
            LLVMPositionBuilderBefore(gen->builder, comparison);
        }
        inner = op_min_max_one(gen, limits->outer_is_max, limits->outer, limits->inner);
    }
    LLVMPositionBuilderBefore(gen->builder, comparison);
    LLVMValueRef answer = compare(gen, is_negated, limits->outer_is_max, value, limits->outer);
    if (inner == NULL) {
        return answer;
    }
    LLVMValueRef other = compare(gen, is_negated, !limits->outer_is_max, value, inner);
    return is_negated ? LLVMBuildOr(gen->builder, answer, other, "")
                      : LLVMBuildAnd(gen->builder, answer, other, "");
}

static void replace(Gen *gen, LLVMValueRef comparison, void *data) {
    (void)data;
    LLVMRealPredicate predicate = LLVMGetFCmpPredicate(comparison);
    LLVMValueRef a = LLVMGetOperand(comparison, 0), b = LLVMGetOperand(comparison, 1);
    Limits limits;
    bool is_a = find_limits(b, a, &limits);
    if ((predicate == LLVMRealOEQ || predicate == LLVMRealUNE) &&
        (is_a || find_limits(a, b, &limits))) {
        LLVMReplaceAllUsesWith(comparison, ask_limits(gen, comparison, is_a ? a : b, &limits));
        LLVMInstructionEraseFromParent(comparison);
    }
}

void within_late(Gen *gen) {
    instructions_visit(gen, LLVMFCmp, replace, NULL);
}
