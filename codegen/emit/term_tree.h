// Sums of terms that are expressions of their own, as of turns that run side by side: each is a
// scalar, or a lane of a vector, and grouped as lane_sum.h and chains.h group those of arrays.
#ifndef TMLC_CODEGEN_EMIT_TERM_TREE_H
#define TMLC_CODEGEN_EMIT_TERM_TREE_H

#include "codegen/gen.h"
#include "codegen/plan/terms.h"

typedef struct TermTree {
    const TermsPlan *plan;
    // What was combined so far, or NULL, with term `number`.
    LLVMValueRef (*add)(Gen *gen, const void *data, uint64_t number, LLVMValueRef so_far);
    // Of as many lanes.
    LLVMValueRef (*join)(Gen *gen, const void *data, LLVMValueRef a, LLVMValueRef b);
    const void *data;
} TermTree;

LLVMValueRef term_tree(Gen *gen, const TermTree *tree);

#endif
