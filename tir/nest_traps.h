// Faults in nests.
#ifndef TMLC_TIR_NEST_TRAPS_H
#define TMLC_TIR_NEST_TRAPS_H

#include "tir/tir.h"

// Whether the sets of a nest and one behind them, of which some may trap, are ended by the same
// fault when they run element by element as when each runs as a whole, and leave nothing behind
// that anybody sees.
bool tir_nest_traps_agree(const TirBlock *nest, const TirStmt *set);

#endif
