// The value of an expression at one position: the heart of code generation. Tensors are never LLVM
// values; whoever walks an index space asks for one scalar at a time.
#ifndef TMLC_CODEGEN_ELEMENT_H
#define TMLC_CODEGEN_ELEMENT_H

#include "codegen/gen.h"
#include "codegen/index.h"

// index_prepare must have seen the expression. Literals, concatenations and running sums have no
// elements of their own: opt_place makes each the whole value of a `set` (set.h).
LLVMValueRef element(Gen *gen, const TirExpr *expr, Index index);
// The value of a scalar expression, its indices prepared on the way.
LLVMValueRef element_scalar(Gen *gen, const TirExpr *expr);
// The same for an int or uint, widened to i64 with its value.
LLVMValueRef element_wide(Gen *gen, const TirExpr *expr);

// About how many scalar operations one element takes.
uint64_t element_cost(const TirExpr *expr);
// Whether walking `count` positions of an expression is better done by straight code.
bool element_unrolls(const TirExpr *expr, uint64_t count);
// Whether the value at a row-major position can be had without splitting it into dims.
bool element_is_flat(const TirExpr *expr);

// The data of a TIR_CONST as a constant array.
LLVMValueRef element_const_table(Gen *gen, const TirExpr *expr);

// op_*.c, one per family of expressions.
LLVMValueRef op_map(Gen *gen, const TirExpr *expr, Index index);
LLVMValueRef op_convert(Gen *gen, Root to, Root from, LLVMValueRef value);
LLVMValueRef op_reduce(Gen *gen, const TirExpr *expr, Index index);
LLVMValueRef op_dot(Gen *gen, const TirExpr *expr, Index index);

// Element-wise operations on values that are there already.
LLVMValueRef op_add(Gen *gen, Root root, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef op_mul(Gen *gen, Root root, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef op_min_max(Gen *gen, bool is_max, Root root, LLVMValueRef a, LLVMValueRef b);

#endif
