// How much a nest may be made of: more is faster as several loops.
#ifndef TMLC_TIR_NEST_SIZE_H
#define TMLC_TIR_NEST_SIZE_H

#include "tir/tir.h"

// Whether a `set` is element by element, and small enough to run with those of a nest.
bool tir_nest_fits(const TirBlock *nest, const TirStmt *set);

#endif
