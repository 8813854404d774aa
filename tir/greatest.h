// What the turns of a loop have at most, in one expression that is computed before the loop.
#ifndef TMLC_TIR_GREATEST_H
#define TMLC_TIR_GREATEST_H

#include "tir/build.h"

// The greatest of an integer in all turns of the loop, as a uint: what is below 0 is more than all
// else. Turns for which the condition (NULL: none) does not hold may count as 0. Both are made of
// the loop's variable and of what its turns do not change. NULL: that cannot be said in few
// operations for each turn, or there are few turns.
TirExpr *tir_greatest(Tir *tir, const TirStmt *loop, TirExpr *value, TirExpr *condition);

#endif
