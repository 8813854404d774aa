// Reductions (L11).
#ifndef TMLC_CODEGEN_EMIT_OP_REDUCE_H
#define TMLC_CODEGEN_EMIT_OP_REDUCE_H

#include "codegen/emit/index.h"

LLVMValueRef op_reduce(Gen *gen, const TirExpr *expr, Index index);
// Whether one element of a reduction or a dot adds up its terms in lanes of their own, so that it
// cannot be one lane of something else. Depends on types, sizes, --fp and the target only, because
// it decides bits.
bool op_reduce_takes_lanes(Gen *gen, const TirExpr *expr);

#endif
