// Reductions that share a loop, because they read the same array.
#ifndef TMLC_CODEGEN_PLAN_TOGETHER_H
#define TMLC_CODEGEN_PLAN_TOGETHER_H

#include "codegen/plan/facts.h"
#include "tir/tir.h"

enum { TOGETHER_LIMIT = 8 };

// EXPR_REDUCE and EXPR_DOT, in lanes, whose plans agree in count, lanes and accumulators.
typedef struct TogetherPlan {
    const TirExpr *terms[TOGETHER_LIMIT];
    size_t count;  // at least 2; 0: none are together
    unsigned ways; // accumulators of each that go at once
    // Of least and greatest: the first one of the same operand, which notes nans for all of them.
    size_t nans_of[TOGETHER_LIMIT];
    size_t statements; // of the block, from the first on, that have them
} TogetherPlan;

// Of statement `first` of a block and those behind it that can be evaluated with it: they write
// scalars that none of the others reads.
TogetherPlan together_plan(const PlanFacts *facts, const TirBlock *block, size_t first);

#endif
