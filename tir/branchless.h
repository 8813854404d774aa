// Branches whose blocks only assign, as assignments of what one of two values is.
#ifndef TMLC_TIR_BRANCHLESS_H
#define TMLC_TIR_BRANCHLESS_H

#include "tir/build.h"
#include "tir/uses.h"

// Appends to `flat` sets that do the same as the block, which stays as it is and shares expressions
// with them; the function, of which `uses` counts the uses, may get variables for what conditions
// were. False: the block does more than to assign, or it shows which of its assignments are made.
bool tir_without_branches(Tir *tir, TirFunction *function, const TirUses *uses,
                          const TirBlock *block, TirBlock *flat);

#endif
