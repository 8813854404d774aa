// Pieces of a row that are computed before any of them is stored.
#ifndef TMLC_CODEGEN_PLAN_PIECES_H
#define TMLC_CODEGEN_PLAN_PIECES_H

#include "codegen/plan/walk.h"

// How many; 1 where it gains nothing, or where what one value stores the next one reads in memory.
unsigned pieces_at_once(const PlanFacts *facts, const PlanStore *stores, size_t count,
                        const WalkPlan *walk);

#endif
