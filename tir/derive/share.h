// A function that is called beside its derivative runs once (L17.9): the derivative gives its
// result.
#ifndef TMLC_TIR_DERIVE_SHARE_H
#define TMLC_TIR_DERIVE_SHARE_H

#include "support/table.h"
#include "tir/build.h"

// By calls of the block, new variables: of a call for derivatives of a function that does nothing
// but call another one, and of the equal call of that one in the same block, whose results are that
// variable. The first of the two stands where the other stood before, if that was earlier.
Table share_values(Tir *tir, TirFunction *caller, TirBlock *block);

#endif
