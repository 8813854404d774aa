// Rows that are computed at once because they read the same elements, as those of stencils do.
#ifndef TMLC_CODEGEN_PLAN_ROWS_H
#define TMLC_CODEGEN_PLAN_ROWS_H

#include "codegen/plan/walk.h"

// How many, of those along the dim before the one of the lanes; 1 where it gains nothing.
unsigned rows_at_once(const PlanFacts *facts, const PlanStore *stores, size_t count,
                      const WalkPlan *walk);

#endif
