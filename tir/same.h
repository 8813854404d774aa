// Expressions that say the same.
#ifndef TMLC_TIR_SAME_H
#define TMLC_TIR_SAME_H

#include "tir/tir.h"

// Whether two numbers or bools have the same bits; false of others.
bool tir_same_scalar(Root root, TirScalar a, TirScalar b);
// Whether both have one value where they are computed at the same time; as places, whether they are
// the same one. False also where that would take more than to compare them word for word.
bool tir_same_value(const TirExpr *a, const TirExpr *b);
// Whether two views of an array have the same of a dim.
bool tir_axes_agree(const TirAxis *a, const TirAxis *b);
// Whether all that a block reads of the array that a place is of is that part.
bool tir_reads_only(const TirBlock *block, const TirExpr *place);

#endif
