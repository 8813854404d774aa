// Reductions in lanes, in steps, so that several of them may share one loop: a round takes one
// vector of terms for each accumulator, or some of them (TermsPlan.depth). Of sums whose
// accumulators are more than the registers hold, a loop takes some of them, and the next one the
// others.
#ifndef TMLC_CODEGEN_EMIT_LANE_FOLD_H
#define TMLC_CODEGEN_EMIT_LANE_FOLD_H

#include "codegen/gen.h"
#include "codegen/plan/terms.h"

// Some of the accumulators.
typedef struct LaneWays {
    unsigned from, count;
} LaneWays;

typedef struct LaneFold {
    const TermsPlan *plan; // in lanes
    size_t carried; // values from round to round: accumulators, and perhaps what all of them share
    void (*begin)(Gen *gen, const void *data, LLVMValueRef *values);
    // The terms for these accumulators of a round that begins at `first`.
    void (*round)(Gen *gen, const void *data, LLVMValueRef first, LaneWays ways,
                  LLVMValueRef *values);
    // The terms from `done` on, and all joined: a scalar.
    LLVMValueRef (*end)(Gen *gen, const void *data, uint64_t done, LLVMValueRef *values);
    const void *data;
} LaneFold;

// Their plans agree in all but how terms are read. `ways` accumulators go at once: all of them, if
// any fold carries more than accumulators.
void lane_fold(Gen *gen, const LaneFold *folds, size_t count, unsigned ways, LLVMValueRef *results);

#endif
