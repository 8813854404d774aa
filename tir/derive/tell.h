// What is said of derivatives: how they are computed (--report), that forward costs more than it
// should, and why there is no reverse.
#ifndef TMLC_TIR_DERIVE_TELL_H
#define TMLC_TIR_DERIVE_TELL_H

#include "tir/derive/reverse.h"

// Of the call that asks, in `caller`. E0764 or E0905.
void tell_refused(Tir *tir, const TirStmt *call, const Obstacle *obstacle);
// The figures of the way that is taken, forward where `reversed` is NULL, but for its costs.
TirDerived tell_derived(Tir *tir, const TirFunction *caller, const TirStmt *call,
                        const TirBlock *taken, const Reversed *reversed);
// Warns where forward is taken because of an obstacle (or NULL), and costs more than four times
// what reverse would.
void tell_cost(Tir *tir, const TirDerived *derived, uint64_t reverse, const Obstacle *obstacle);

#endif
