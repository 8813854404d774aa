// A function without calls, as far as they can be taken in: in reverse a call runs twice.
#ifndef TMLC_TIR_DERIVE_FLAT_H
#define TMLC_TIR_DERIVE_FLAT_H

#include "tir/build.h"

// Takes in what the function calls, and what that calls, but for what returns early and long
// bodies.
void flat_make(Tir *tir, TirFunction *function);

#endif
