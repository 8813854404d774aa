// Parts of a concatenation that are walked together.
#ifndef TMLC_CODEGEN_PLAN_PARTS_H
#define TMLC_CODEGEN_PLAN_PARTS_H

#include "codegen/plan/walk.h"

enum { PARTS_LIMIT = 4 };

typedef struct PartsPlan {
    size_t count; // of all parts, in one walk; 0: each has a plan of its own
    Destination places[PARTS_LIMIT];
    PlanStore stores[PARTS_LIMIT];
    WalkPlan walk;
} PartsPlan;

// Of `to = value`, whose plan is PLAN_PARTS. It lies where `plan` does.
void parts_plan(const PlanFacts *facts, const Destination *to, const TirExpr *value,
                PartsPlan *plan);

#endif
