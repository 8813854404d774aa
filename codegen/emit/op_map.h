// Element-wise operations.
#ifndef TMLC_CODEGEN_EMIT_OP_MAP_H
#define TMLC_CODEGEN_EMIT_OP_MAP_H

#include "codegen/emit/index.h"

LLVMValueRef op_map(Gen *gen, const TirExpr *expr, Index index);
// Element-wise operations on values that are there already, scalars or vectors.
LLVMValueRef op_add(Gen *gen, Root root, LLVMValueRef a, LLVMValueRef b);
// What a sum is before its first term: -0.0 + x is x for every real x, also for -0.0.
LLVMValueRef op_no_sum(Gen *gen, Root root);
LLVMValueRef op_sub(Gen *gen, Root root, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef op_mul(Gen *gen, Root root, LLVMValueRef a, LLVMValueRef b);
// a * b + c; rounded once on targets that can, unless --fp=strict.
LLVMValueRef op_multiply_add(Gen *gen, Root root, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c);

#endif
