// What derivatives of reductions have in common: the reduced axes as one, the second of three.
#ifndef TMLC_TIR_DERIVE_REDUCTION_H
#define TMLC_TIR_DERIVE_REDUCTION_H

#include "tir/build.h"

// An operand of the reduction so, or its change in some directions, which stay the last axis.
TirExpr *reduction_in_three(Tir *tir, const TirExpr *reduce, TirExpr *operand, uint32_t directions);
// Where the least or greatest element of each is, the first of equals; `values` is in three.
TirExpr *reduction_positions(Tir *tir, const TirExpr *reduce, TirExpr *values);
// Whether an element is that one.
TirExpr *reduction_is_chosen(Tir *tir, const Type *values, TirExpr *positions);
// The slice at a counter of what is in three.
TirExpr *reduction_slice(Tir *tir, TirVar *all, TirVar *counter);

#endif
