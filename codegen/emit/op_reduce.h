// Reductions (L11).
#ifndef TMLC_CODEGEN_EMIT_OP_REDUCE_H
#define TMLC_CODEGEN_EMIT_OP_REDUCE_H

#include "codegen/emit/index.h"
#include "codegen/emit/lane_fold.h"

LLVMValueRef op_reduce(Gen *gen, const TirExpr *expr, Index index);
// Of one whose terms are added in lanes, and which finds no place: it lives as long as what is
// compiled. `noting`, if not null, is of a least or greatest of the same terms, which notes nans.
LaneFold op_reduce_fold(Gen *gen, const TirExpr *expr, Index index, const LaneFold *noting);

#endif
