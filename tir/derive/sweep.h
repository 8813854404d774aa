// What the two sweeps of a reverse derivative share: ahead a value is computed, and what its
// derivative needs of it is kept; back the adjoint of the value, by how much the result changes
// with it, is given to the adjoints of the variables that it was made of.
#ifndef TMLC_TIR_DERIVE_SWEEP_H
#define TMLC_TIR_DERIVE_SWEEP_H

#include "support/table.h"
#include "tir/clone.h"
#include "tir/derive/active.h"

typedef struct Sweep {
    TirClone clone; // to the variables of the made function
    const Active *active;
    TirFunction *function;  // that is made
    TirVar **adjoints;      // of active variables, by the id of these
    TirBlock *ahead, *back; // where statements go
    // Variables of the made function that have one value from ahead to back.
    Table stable;
    Table records; // what was kept of each active node, by the node
} Sweep;

// The value of an expression of the swept function, ahead.
TirExpr *sweep_ahead(Sweep *sweep, const TirExpr *expr);
// The adjoint of an expression that sweep_ahead has seen, back.
void sweep_back(Sweep *sweep, const TirExpr *expr, TirExpr *adjoint);
// The part of the adjoint of a variable for a place that sweep_ahead has seen.
TirExpr *sweep_adjoint(Sweep *sweep, const TirExpr *place);
// The same value at any later time.
TirExpr *sweep_keep(Sweep *sweep, TirExpr *value);
// A new variable with the value, set in a block.
TirVar *sweep_set(Sweep *sweep, TirBlock *block, TirExpr *value);

#endif
