// Elements of an array that are known to be others than those that loops come to.
#ifndef TMLC_TIR_APART_H
#define TMLC_TIR_APART_H

#include "tir/tir.h"
#include "tir/visit.h"

// Whether the place, in whatever turns of the loops around it, is no element that the view is. What
// the view is indexed with stays the same in these loops, and is inside of the array.
bool tir_elements_apart(const LoopAround *around, const TirExpr *place, const TirExpr *view);

#endif
