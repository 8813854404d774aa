// The body of a loop with a scalar for each element of the small arrays of a turn, so that turns
// can run side by side (tir/lanes_loop.h).
#ifndef TMLC_TIR_SPREAD_H
#define TMLC_TIR_SPREAD_H

#include "tir/build.h"

enum { SPREAD_LIMIT = 64 }; // elements of an array, or of a row of one, that become scalars

// `uses` has how often each variable of the function is used in it and `inside` in the loop, by id
// (tir_count_mentions). The body, in new statements and new variables of the function; what it
// reads and writes of arrays that outlive a turn, at the loop's variable in their first dim, is
// read into scalars first and written back at the end. False where it has what does not become
// scalars, is long, or where that gains nothing, unless the caller knows better (`is_worth_it`):
// its arithmetic is as fast element by element. *of_rows, unless it is NULL, says
// that only the rows of arrays that outlive a turn gain.
bool spread_body(Tir *tir, TirFunction *function, const uint32_t *uses, const uint32_t *inside,
                 TirStmt *loop, bool is_worth_it, TirBlock *body, bool *of_rows);

#endif
