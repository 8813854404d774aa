// Loops whose turns go into one scalar in any order, as `for i = 0:n: count += x[i]` of ints.
#ifndef TMLC_TIR_GATHER_H
#define TMLC_TIR_GATHER_H

#include "tir/widen.h"

// The statement that does what all turns of a loop do whose body is this statement, a `set` or an
// `if` around one; NULL: there is none.
TirStmt *tir_gathered(Widening *turns, const TirStmt *body);

#endif
