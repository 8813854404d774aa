// Elements of views in lanes that run over the ends of rows (plan/wrap.h).
#ifndef TMLC_CODEGEN_EMIT_WRAP_H
#define TMLC_CODEGEN_EMIT_WRAP_H

#include "codegen/emit/index.h"

// As element(), of a EXPR_VIEW and an index with `wrap`.
LLVMValueRef wrap_element(Gen *gen, const TirExpr *view, Index index);

#endif
