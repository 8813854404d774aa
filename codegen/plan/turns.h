// Loops whose turns have nothing to do with one another, so that threads may share them.
#ifndef TMLC_CODEGEN_PLAN_TURNS_H
#define TMLC_CODEGEN_PLAN_TURNS_H

#include "codegen/plan/split.h"
#include "support/arena.h"
#include "tir/tir.h"

typedef struct TurnsPlan {
    SplitPlan split;
    LIST_OF(const TirVar *) own; // variables of which each turn has its own
} TurnsPlan;

// Of a `for` of the function.
TurnsPlan turns_plan(Arena *arena, const PlanFacts *facts, const TirFunction *function,
                     TirStmt *loop);

#endif
