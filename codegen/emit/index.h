// Positions in index spaces, and how views map them.
#ifndef TMLC_CODEGEN_EMIT_INDEX_H
#define TMLC_CODEGEN_EMIT_INDEX_H

#include "codegen/emit/address.h"
#include "codegen/gen.h"
#include "codegen/plan/wrap.h"

// Lanes that run over the ends of rows: the first one is element `first` of a block of rows that
// begins with row number `row`.
typedef struct IndexWrap {
    const WrapPlan *plan;
    const LLVMValueRef *outer; // where in the dims around
    LLVMValueRef row;
    uint64_t first;
} IndexWrap;

// A position in the index space of a type: one i64 per flat dim in `at`, or, where `at` is NULL,
// the row-major position `linear`. With more than one lane it is the first of several positions,
// one per lane, from each to the next of which every dim (or the row-major position) grows by a
// constant.
typedef struct Index {
    const LLVMValueRef *at;
    LLVMValueRef linear;
    unsigned lanes;
    const int64_t *steps;  // growth of each dim; NULL with one lane
    int64_t step;          // growth of `linear`
    const IndexWrap *wrap; // of row-major positions; NULL: the lanes are in one row
    const TirExpr *view;   // it leads through to its operand; NULL: it is the index of no operand
} Index;

typedef struct Position {
    LLVMValueRef first; // i64
    int64_t step;       // from lane to lane
} Position;

// The only position of a scalar.
Index index_scalar(Gen *gen);
Index index_at(const LLVMValueRef *at);
Index index_linear(LLVMValueRef linear);

// The row-major position.
Position index_position(Gen *gen, const Type *type, Index index);
// The same index with one i64 per dim. Of several lanes in row-major form, at most one dim of the
// type may be longer than 1.
Index index_spread(Gen *gen, const Type *type, Index index);

// Where a EXPR_VIEW reads its operand for position `index` of its own. The indices of the view
// that are computed must have been (index_prepare).
Index index_through_view(Gen *gen, const TirExpr *view, Index index);
// Where a EXPR_RESHAPE reads its operand.
Index index_through_reshape(Gen *gen, const TirExpr *reshape, Index index);

// Computes and checks the indices of all views in the tree, once, before any of its elements. Those
// under the right side of a scalar `and` or `or` are left to the evaluation of that operator.
void index_prepare(Gen *gen, const TirExpr *expr);

// Where an element of a place, or of a view of a variable, is. `index` may have several lanes.
Address index_address(Gen *gen, const TirExpr *place, Index index);
// Element `position` of an array.
Address index_element(Gen *gen, Root root, LLVMValueRef array, Position position);
// A scalar when the address is the same in every lane, else a vector.
LLVMValueRef index_load(Gen *gen, Root root, Address address, unsigned lanes);
// The same past the caches, to an address that is aligned to a cache line, or to shorter lanes.
void index_stream(Gen *gen, Root root, LLVMValueRef value, Address address, unsigned lanes);
// How many elements lie before the first one from `address` on that is aligned so.
LLVMValueRef index_until_aligned(Gen *gen, Root root, Address address, unsigned lanes);
// Stores a scalar, in every lane, or a vector; the step must be 1.
void index_store(Gen *gen, Root root, LLVMValueRef value, Address address, unsigned lanes);

#endif
