// Dependence between places and expressions: what passes ask before they move or join statements.
#ifndef TMLC_TIR_ALIAS_H
#define TMLC_TIR_ALIAS_H

#include "tir/tir.h"

// Whether element (i0, i1, ...) of `b`, of the same flat dims, is element (i0, i1, ...) of `a`, or
// none of `a` at all. `a` is a place.
bool tir_same_map(const TirExpr *a, const TirExpr *b);
// Whether some element of `expr` may read a scalar of `place` that belongs to another element of
// the place. `aligned`: element (i0, i1, ...) of the value needs this element of expr only.
bool tir_conflicts(const TirExpr *place, const TirExpr *expr, bool aligned);
// The same of a whole value before it is stored: a single scalar is complete, whatever it reads.
bool tir_set_conflicts(const TirExpr *place, const TirExpr *value);

#endif
