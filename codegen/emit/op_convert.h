// Conversions between scalars (L2.9).
#ifndef TMLC_CODEGEN_EMIT_OP_CONVERT_H
#define TMLC_CODEGEN_EMIT_OP_CONVERT_H

#include "codegen/gen.h"

LLVMValueRef op_convert(Gen *gen, const TirExpr *convert, LLVMValueRef value);
// |x| of an int; the least one wraps to itself, as 2147483648.0 does.
LLVMValueRef op_int_size(Gen *gen, LLVMValueRef value);

#endif
