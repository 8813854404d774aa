// What a function of derivatives does not need is taken out of it.
#ifndef TMLC_TIR_DERIVE_TIDY_H
#define TMLC_TIR_DERIVE_TIDY_H

#include "tir/build.h"

// Of adjoints and changes, which are marked by their ids, sums whose first term is still 0 become
// their second one; values that nobody reads are not computed, unless that may trap, which it does
// not where they have been computed before.
void tidy_function(Tir *tir, TirFunction *function, const bool *is_change, bool is_again);
// Of statements that run again, or will at once if they trap, those stay that what is behind them
// reads.
void tidy_rerun(Tir *tir, const TirFunction *function, TirBlock *rerun, const TirBlock *behind);

#endif
