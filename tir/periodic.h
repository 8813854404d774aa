// Loops whose turns are taken apart by what their variable leaves when it is divided
// (passes/strips.c, passes/phases.c).
#ifndef TMLC_TIR_PERIODIC_H
#define TMLC_TIR_PERIODIC_H

#include "tir/build.h"
#include "tir/own.h"

// Whether the statement goes on from what the turn before left, as `s = s + x[i]`.
bool tir_goes_on(const TirStmt *loop, const TirStmt *stmt);
// Whether it is a `for` of a few turns, whose number is known.
bool tir_is_short_for(Tir *tir, const TirStmt *stmt);
// Appends turns [first, end) of the loop as it is; perhaps there are none.
void tir_copy_turns_of(Tir *tir, TirOwn *own, TirStmt *loop, int64_t first, int64_t end,
                       TirBlock *out);

#endif
