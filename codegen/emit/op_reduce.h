// Reductions (L11).
#ifndef TMLC_CODEGEN_EMIT_OP_REDUCE_H
#define TMLC_CODEGEN_EMIT_OP_REDUCE_H

#include "codegen/emit/index.h"

LLVMValueRef op_reduce(Gen *gen, const TirExpr *expr, Index index);

#endif
