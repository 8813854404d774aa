// Positions in index spaces, and how views map them.
#ifndef TMLC_CODEGEN_INDEX_H
#define TMLC_CODEGEN_INDEX_H

#include "codegen/gen.h"

// A position in the index space of a type: one i64 per flat dim in `at`, or, where `at` is NULL,
// the row-major position `linear`. Whichever form a reader needs is computed when it asks.
typedef struct Index {
    const LLVMValueRef *at;
    LLVMValueRef linear;
} Index;

// The only position of a scalar.
Index index_scalar(Gen *gen);
Index index_at(const LLVMValueRef *at);
Index index_linear(LLVMValueRef linear);

// The row-major position.
LLVMValueRef index_position(Gen *gen, const Type *type, Index index);
// One i64 per flat dim.
const LLVMValueRef *index_dims(Gen *gen, const Type *type, Index index);

// Where a TIR_VIEW reads its operand for position `index` of its own. The indices of the view
// that are computed must have been (index_prepare).
Index index_through_view(Gen *gen, const TirExpr *view, Index index);
// Where a TIR_RESHAPE reads its operand.
Index index_through_reshape(Gen *gen, const TirExpr *reshape, Index index);

// Computes and checks the indices of all views in the tree, once, before any of its elements. Those
// under the right side of a scalar `and` or `or` are left to the evaluation of that operator.
void index_prepare(Gen *gen, const TirExpr *expr);

// The address of an element of a place, or of a view of a variable.
LLVMValueRef index_address(Gen *gen, const TirExpr *place, Index index);

#endif
