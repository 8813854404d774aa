// Returns before the end of a body, and `continue`s before the end of a turn, as branches: what
// follows an `if` that leaves goes into its other branch.
#ifndef TMLC_TIR_RETURNS_H
#define TMLC_TIR_RETURNS_H

#include "tir/build.h"

// Whether tir_without_returns can have the body: no loop returns, and of an `if` that something
// follows and that may return one branch always does.
bool tir_returns_branch(TirBlock *body);
// The body, changed where it stands, without any return.
void tir_without_returns(Tir *tir, TirBlock *body);
// The body of a loop, changed where it stands, without a `continue`, where that can be said so.
void tir_without_continues(Tir *tir, TirBlock *body);

#endif
