// Functions without jumps, from which reverse derivatives are made: their statements run in order.
#ifndef TMLC_TIR_DERIVE_STRAIGHT_H
#define TMLC_TIR_DERIVE_STRAIGHT_H

#include "tir/derive/active.h"

// The function itself where no `return` but its last statement, and no `break` or `continue` of a
// loop in which something changes, jumps, and the bounds of such loops are constants. Else a copy,
// which no program has, in which flags say what does not run any more: loops turn as often as they
// may at most, if only in name. NULL where a `while` returns.
TirFunction *straight_function(Tir *tir, const Active *active);

#endif
