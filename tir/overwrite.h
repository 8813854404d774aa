// Arrays that are overwritten, part by part or turn by turn, before anybody reads what they had.
#ifndef TMLC_TIR_OVERWRITE_H
#define TMLC_TIR_OVERWRITE_H

#include "tir/build.h"

// Whether statements behind the `set` at `first`, in its block, write all of the array that it sets
// before any of that is read, so that the set is needless. A copy may have been read by a loop that
// writes all, each turn its own part: that part is read where it was copied from, then.
bool tir_is_overwritten(Tir *tir, TirBlock *block, size_t first);
// How many of the first rows of what the `set` gives are read, where a loop behind it writes all
// others in order, each from rows before it: `y[i, :] = y[i - 1, :] + ...`. Its place is an array
// and they lie along dim 0, or all of one at some indices in the first dims, `y[c, :]`, and they
// lie along the one behind these. 0: there is no such loop. Where the array is a copy, the loop
// reads what it has not yet written of it where it was copied from, then.
uint32_t tir_loop_goes_on_from(Tir *tir, TirBlock *block, size_t first);

#endif
