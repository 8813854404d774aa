// Combining many terms in lanes: the first term goes to lane 0 of the first accumulator, the next
// to lane 1, and so on round all accumulators, which are joined by a fixed tree at the end. The
// order of the terms, and with it every bit of a sum, depends on their number, their type and the
// target alone.
#ifndef TMLC_CODEGEN_EMIT_LANE_SUM_H
#define TMLC_CODEGEN_EMIT_LANE_SUM_H

#include "codegen/emit/lane_fold.h"

typedef struct LaneSum {
    TermsPlan plan; // in lanes
    LLVMValueRef neutral;
    // Combines the terms [position, position + lanes) into an accumulator of as many lanes.
    LLVMValueRef (*add)(Gen *gen, const void *data, LLVMValueRef position, unsigned lanes,
                        LLVMValueRef so_far);
    LLVMValueRef (*join)(Gen *gen, const void *data, LLVMValueRef a, LLVMValueRef b);
    const void *data;
} LaneSum;

LaneFold lane_sum(const LaneSum *sum);

#endif
