// Conversions between scalars (L2.9).
#ifndef TMLC_CODEGEN_EMIT_OP_CONVERT_H
#define TMLC_CODEGEN_EMIT_OP_CONVERT_H

#include "codegen/gen.h"

LLVMValueRef op_convert(Gen *gen, const TirExpr *convert, LLVMValueRef value);

#endif
