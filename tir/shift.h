// Statements that move rows of an array along it, as `x[1:, :] = x[:n - 1, :]`.
#ifndef TMLC_TIR_SHIFT_H
#define TMLC_TIR_SHIFT_H

#include "tir/build.h"

// A loop that does what a `set` does whose value reads rows of the array that it writes: row by
// row, each read before it is overwritten. NULL where no order of rows does that, or rows are
// short.
TirStmt *tir_shift_loop(Tir *tir, TirFunction *function, const TirStmt *set);

#endif
