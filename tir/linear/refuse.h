// What a step computes that has no derivative.
#ifndef TMLC_TIR_LINEAR_REFUSE_H
#define TMLC_TIR_LINEAR_REFUSE_H

#include "tir/build.h"

// Tells E0765 of calls, in the function or in what it calls, for results that have no derivative,
// change with its first parameter, and are read. NULL: there is no function.
void linear_refuse(Tir *tir, const TirFunction *function);

#endif
