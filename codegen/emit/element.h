// The value of an expression at one position: the heart of code generation. Tensors are never LLVM
// values; whoever walks an index space asks for one scalar at a time.
#ifndef TMLC_CODEGEN_EMIT_ELEMENT_H
#define TMLC_CODEGEN_EMIT_ELEMENT_H

#include "codegen/emit/index.h"
#include "codegen/gen.h"

// The value at a position. Of several lanes (lanes.h) it is a vector, or a scalar where all lanes
// have the same value; the caller asks for lanes only where element_has_lanes. index_prepare must
// have seen the expression. Literals, concatenations and running sums have no elements of their
// own: pass_hoist makes each the whole value of a `set` (set.h).
LLVMValueRef element(Gen *gen, const TirExpr *expr, Index index);
// The value of a scalar expression, its indices prepared on the way.
LLVMValueRef element_scalar(Gen *gen, const TirExpr *expr);
// The same for an int or uint, widened to i64 with its value.
LLVMValueRef element_wide(Gen *gen, const TirExpr *expr);

// The data of a EXPR_CONST, and a constant array that holds it.
LLVMValueRef element_const_data(Gen *gen, const TirExpr *expr);
LLVMValueRef element_const_table(Gen *gen, const TirExpr *expr);

#endif
