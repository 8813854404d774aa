// A matrix times a vector, and a vector times the same matrix, in one pass over it.
#ifndef TMLC_CODEGEN_PLAN_BOTH_WAYS_H
#define TMLC_CODEGEN_PLAN_BOTH_WAYS_H

#include "codegen/plan/plan.h"

typedef struct BothWaysPlan {
    unsigned rows;         // at once: 0: nothing is
    const TirStmt *across; // elements that take rows of the matrix
    const TirStmt *down;   // a vector times the matrix
} BothWaysPlan;

// Of statement `first` of a block and the one behind it.
BothWaysPlan both_ways_plan(const PlanFacts *facts, PlanScope *scope, const TirFunction *function,
                            const TirBlock *block, size_t first);

#endif
