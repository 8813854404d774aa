// Statements that move rows of an array along it, as `x[1:, :] = x[:n - 1, :]` or
// `x = concat(0, row, x[:n - 1, :])`.
#ifndef TMLC_TIR_SHIFT_H
#define TMLC_TIR_SHIFT_H

#include "support/table.h"
#include "tir/build.h"

// Appends what does what a `set` does whose value reads rows of the array that it writes: row by
// row, each read before it is overwritten, in a loop, or a short vector element by element, which
// is added to `moved`, a table of TirVars. False where no order of rows does that, or rows are
// short.
bool tir_shift(Tir *tir, TirFunction *function, const TirStmt *set, TirBlock *out, Table *moved);

// The same of `set`s of parts of one array that are to happen at once, as `x[0] = x[n - 1]` and
// `x[1:] = x[:n - 1]`.
bool tir_shift_parts(Tir *tir, TirFunction *function, const TirVar *var, const TirBlock *parts,
                     TirBlock *out, Table *moved);

#endif
