// Takes the check off an index that cannot be outside of its dim, makes one that is known a
// constant of its view, and marks conversions of reals that are not far from 0 and divisions of
// integers that are not below it. Nothing is assumed of indices that were taken for granted before.
#ifndef TMLC_TIR_PROVE_H
#define TMLC_TIR_PROVE_H

#include "tir/build.h"

// Views, of places too, conversions and divisions are written as copies.
void prove_function(Tir *tir, const TirFunction *function);

#endif
