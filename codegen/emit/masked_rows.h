// Elements that lie side by side for each turn, as those of small arrays do, in a loop whose turns
// run side by side (masked.h).
#ifndef TMLC_CODEGEN_EMIT_MASKED_ROWS_H
#define TMLC_CODEGEN_EMIT_MASKED_ROWS_H

#include "codegen/emit/masked_value.h"

// Statement number `first` of a block and those behind it, if they read neighbours [i, 0], [i, 1],
// ... of an array into scalars, or write them from scalars: the row of each lane is moved as one
// vector, and rows are turned in registers. How many statements that was; 0: it is nothing like
// that.
size_t masked_rows(Gen *gen, const TirBlock *block, size_t first);
// Whether there is something like that in the body of the loop.
bool masked_has_rows(const Masked *masked, const TirBlock *body);

#endif
