// The value of an expression at one position: the heart of code generation. Tensors are never LLVM
// values; whoever walks an index space asks for one scalar at a time.
#ifndef TMLC_CODEGEN_EMIT_ELEMENT_H
#define TMLC_CODEGEN_EMIT_ELEMENT_H

#include "codegen/emit/index.h"
#include "codegen/gen.h"

// The value at a position. Of several lanes (lanes.h) it is a vector, or a scalar where all lanes
// have the same value; the caller asks for lanes only where element_has_lanes. index_prepare must
// have seen the expression. Literals, concatenations and running sums have no elements of their
// own: opt_place makes each the whole value of a `set` (set.h).
LLVMValueRef element(Gen *gen, const TirExpr *expr, Index index);
// The value of a scalar expression, its indices prepared on the way.
LLVMValueRef element_scalar(Gen *gen, const TirExpr *expr);
// The same for an int or uint, widened to i64 with its value.
LLVMValueRef element_wide(Gen *gen, const TirExpr *expr);

// estimate.c: what is known about an expression before its code is there.

// About how many scalar operations one element takes.
uint64_t element_cost(const TirExpr *expr);
// Whether walking `count` positions of an expression is better done by straight code.
bool element_unrolls(const TirExpr *expr, uint64_t count);
// Whether the value at a row-major position can be had without splitting it into dims.
bool element_is_flat(const TirExpr *expr);
// The most bytes that a scalar of the expression takes.
uint64_t element_widest(Gen *gen, const TirExpr *expr);
// Elements walk a loop of their own.
bool element_has_loop(const TirExpr *expr);
// Whether element() can give several lanes at once, each `steps[k]` further along flat dim k than
// the one before: what it reads lies side by side or is the same for all of them, and nothing has
// to be decided or called per lane.
bool element_has_lanes(Gen *gen, const TirExpr *expr, const int64_t *steps);
// The same in square tiles (tile.h), whose rows are `across` apart: what is read may also lie side
// by side from row to row.
bool element_has_tiles(Gen *gen, const TirExpr *expr, const int64_t *steps, const int64_t *across);
// As element_has_lanes for row-major positions that follow each other, of an expression that is
// flat.
bool element_has_flat_lanes(Gen *gen, const TirExpr *expr);

// The data of a EXPR_CONST, and a constant array that holds it.
LLVMValueRef element_const_data(Gen *gen, const TirExpr *expr);
LLVMValueRef element_const_table(Gen *gen, const TirExpr *expr);

// op_*.c, one per family of expressions.
LLVMValueRef op_map(Gen *gen, const TirExpr *expr, Index index);
// Whether it is a function of libm.
bool op_map_is_call(TirOp op);
LLVMValueRef op_convert(Gen *gen, Root to, Root from, LLVMValueRef value);
LLVMValueRef op_reduce(Gen *gen, const TirExpr *expr, Index index);
// Whether one element of a reduction or a dot adds up its terms in lanes of their own, so that it
// cannot be one lane of something else. Depends on types, sizes, --fp and the target only, because
// it decides bits.
bool op_reduce_takes_lanes(Gen *gen, const TirExpr *expr);
bool op_dot_takes_lanes(Gen *gen, const TirExpr *expr);
LLVMValueRef op_dot(Gen *gen, const TirExpr *expr, Index index);

// Element-wise operations on values that are there already, scalars or vectors.
LLVMValueRef op_add(Gen *gen, Root root, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef op_mul(Gen *gen, Root root, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef op_min_max(Gen *gen, bool is_max, Root root, LLVMValueRef a, LLVMValueRef b);

// a * b + c; rounded once on targets that can, unless --fp=strict.
LLVMValueRef op_multiply_add(Gen *gen, Root root, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c);

#endif
