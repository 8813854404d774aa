// Combining many terms in lanes: the first term goes to lane 0 of the first accumulator, the next
// to lane 1, and so on round all accumulators, which are joined by a fixed tree at the end. The
// order of the terms, and with it every bit of a sum, depends on their number, their type and the
// target alone.
#ifndef TMLC_CODEGEN_EMIT_LANE_SUM_H
#define TMLC_CODEGEN_EMIT_LANE_SUM_H

#include "codegen/gen.h"
#include "codegen/plan/terms.h"

typedef struct LaneSum {
    const TermsPlan *plan; // in lanes
    LLVMValueRef neutral;
    // Combines the terms [position, position + lanes) into an accumulator of as many lanes.
    LLVMValueRef (*add)(Gen *gen, void *data, LLVMValueRef position, unsigned lanes,
                        LLVMValueRef so_far);
    LLVMValueRef (*join)(Gen *gen, void *data, LLVMValueRef a, LLVMValueRef b);
    void *data;
} LaneSum;

// All terms combined: a scalar.
LLVMValueRef lane_sum(Gen *gen, const LaneSum *sum);

#endif
