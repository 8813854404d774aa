// Small arrays as scalars.
#ifndef TMLC_TIR_ELEMENTS_H
#define TMLC_TIR_ELEMENTS_H

#include "tir/build.h"
#include "tir/uses.h"

// Makes a scalar, a new variable of the function, of each element of the small arrays that only
// `body` uses, one known element at a time or filled as a whole. `body` stands for `loop`'s, and
// `uses` are those of the function's variables with that in place.
void tir_elements_as_scalars(Tir *tir, TirFunction *function, const TirUses *uses, TirStmt *loop,
                             TirBlock *body);

#endif
