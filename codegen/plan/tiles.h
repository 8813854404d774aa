// Transposing on the way: values that are read along another dim than the one they are written
// along, in squares that are turned in registers.
#ifndef TMLC_CODEGEN_PLAN_TILES_H
#define TMLC_CODEGEN_PLAN_TILES_H

#include "codegen/plan/destination.h"

typedef struct TilesPlan {
    unsigned size;
    size_t along, across; // the dims of lanes and of rows
    bool overlaps;        // elements may be stored twice
    bool streams;         // past the caches, in blocks of these numbers of squares
    bool is_skewed;       // rows lie differently in cache lines
    unsigned block_along, block_across;
} TilesPlan;

// False when the value is not of that kind or too small.
bool tiles_plan(const PlanFacts *facts, const Destination *to, const TirExpr *value,
                TilesPlan *plan);

#endif
