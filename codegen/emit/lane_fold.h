// Reductions in lanes, in steps, so that several of them may share one loop: a round takes one
// vector of terms for each accumulator.
#ifndef TMLC_CODEGEN_EMIT_LANE_FOLD_H
#define TMLC_CODEGEN_EMIT_LANE_FOLD_H

#include "codegen/gen.h"
#include "codegen/plan/terms.h"

typedef struct LaneFold {
    const TermsPlan *plan; // in lanes
    size_t carried;        // values from round to round
    void (*begin)(Gen *gen, const void *data, LLVMValueRef *values);
    // The terms of a round from `first` on.
    void (*round)(Gen *gen, const void *data, LLVMValueRef first, LLVMValueRef *values);
    // The terms from `done` on, and all joined: a scalar.
    LLVMValueRef (*end)(Gen *gen, const void *data, uint64_t done, LLVMValueRef *values);
    const void *data;
} LaneFold;

// Their plans agree in all but how terms are read.
void lane_fold(Gen *gen, const LaneFold *folds, size_t count, LLVMValueRef *results);

#endif
