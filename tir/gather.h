// Loops whose turns go into one scalar in any order, as `for i = 0:n: count += x[i]` of ints.
#ifndef TMLC_TIR_GATHER_H
#define TMLC_TIR_GATHER_H

#include "tir/widen.h"

// `place = place op term` of a scalar variable, which all turns make one reduction of their terms.
typedef struct TirGathering {
    TirOp op;
    TirReduction reduction;
    TirExpr *term;
} TirGathering;

// False: a `set` does something else. `n = select(c, n + term, n)` adds 0 in the other turns.
bool tir_gathers(Tir *tir, const TirStmt *set, TirGathering *found);
// What a `set` adds to a real scalar, subtracts from it, or multiplies it by, in the order of
// turns; NULL: it does something else.
TirExpr *tir_gathered_in_order(const TirStmt *set);

// The statement that does what all turns of a loop do whose body is this statement, a `set` or an
// `if` around one; NULL: there is none.
TirStmt *tir_gathered(Widening *turns, const TirStmt *body);

#endif
