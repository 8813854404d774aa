// How several stores walk one index space together, element by element or in lanes.
#ifndef TMLC_CODEGEN_PLAN_WALK_H
#define TMLC_CODEGEN_PLAN_WALK_H

#include "codegen/plan/destination.h"
#include "codegen/plan/wrap.h"

// One value that is computed and stored at each position.
typedef struct PlanStore {
    const Destination *to;
    const TirExpr *value;
} PlanStore;

typedef struct WalkPlan {
    const uint32_t *dims;
    size_t rank;
    bool is_linear; // all of it as one row, by row-major positions
    bool unrolled;  // straight code
    // With lanes: the dim that they run along, the last one longer than 1.
    size_t along;
    unsigned lanes;   // of a full piece; 1: none
    bool is_apart;    // what they read does not lie side by side
    WrapPlan wrap;    // lanes run over the ends of rows
    bool is_balanced; // pieces are about as long, and what full ones leave of a row is one piece
    bool overlaps;   // the last piece of a row may reach back over elements that are stored already
    bool streams;    // full pieces of one of the stores are aligned and go past the caches
    size_t streamed; // which one
    unsigned rows;   // of the dim before the lanes' that are computed at once
    unsigned pieces; // of a row that are computed at once
} WalkPlan;

// The values have the same dims.
WalkPlan walk_plan(const PlanFacts *facts, const PlanStore *stores, size_t count);

#endif
