// Products of vectors and matrices, element by element (L5.5).
#ifndef TMLC_CODEGEN_EMIT_OP_DOT_H
#define TMLC_CODEGEN_EMIT_OP_DOT_H

#include "codegen/emit/index.h"
#include "codegen/emit/lane_fold.h"

LLVMValueRef op_dot(Gen *gen, const TirExpr *expr, Index index);
// Of one whose terms are added in lanes: it lives as long as what is compiled.
LaneFold op_dot_fold(Gen *gen, const TirExpr *expr, Index index);

#endif
