// Loops that are running sums, as `for i = 1:n: x[i] += x[i - 1]`.
#ifndef TMLC_TIR_PREFIX_H
#define TMLC_TIR_PREFIX_H

#include "tir/widen.h"

// The statement that does what all turns of a loop do whose body is this statement; NULL: there is
// none.
TirStmt *tir_running_sum(const Widening *turns, const TirStmt *set);

#endif
