// Quotients and remainders, element by element.
#ifndef TMLC_CODEGEN_EMIT_OP_DIVIDE_H
#define TMLC_CODEGEN_EMIT_OP_DIVIDE_H

#include "codegen/gen.h"

// a / b or a % b, scalars or vectors of as many lanes; integers trap on zero.
LLVMValueRef op_divide(Gen *gen, const TirExpr *expr, LLVMValueRef a, LLVMValueRef b);

#endif
