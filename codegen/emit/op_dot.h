// Products of vectors and matrices, element by element (L5.5).
#ifndef TMLC_CODEGEN_EMIT_OP_DOT_H
#define TMLC_CODEGEN_EMIT_OP_DOT_H

#include "codegen/emit/index.h"

// As op_reduce_takes_lanes.
bool op_dot_takes_lanes(Gen *gen, const TirExpr *expr);
LLVMValueRef op_dot(Gen *gen, const TirExpr *expr, Index index);

#endif
