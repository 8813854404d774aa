// Loops that only copy elements of an array, as those that take a part of one from an index on that
// is computed.
#ifndef TMLC_TIR_COPYING_H
#define TMLC_TIR_COPYING_H

#include "tir/build.h"

// The one `set` of an element or part in this loop, or in the loops in it; NULL: there is more.
const TirStmt *tir_copying_set(const TirStmt *loop);
// The `set` of the loops that give a variable its part of another array (STORAGE_PART); else NULL.
const TirStmt *tir_part_set(const TirStmt *loop);
// What an array has after the loop, all of whose elements it copies by `place = value`: the sides
// of that `set`, in which variables of loops around may have become numbers. NULL: it does not copy
// all of them in their order, or not from a view.
TirExpr *tir_copied(Tir *tir, const TirStmt *loop, TirExpr *place, TirExpr *value);

#endif
