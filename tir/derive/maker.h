// What makes the reverse derivative of one function: its statements, and loops among them.
#ifndef TMLC_TIR_DERIVE_MAKER_H
#define TMLC_TIR_DERIVE_MAKER_H

#include "tir/derive/reverse.h"
#include "tir/derive/sweep.h"
#include "tir/interval.h"

typedef struct Maker {
    Reverse *reverse;
    Tir *tir;
    const Active *active;
    Sweep sweep;
    Interval *intervals; // of the variables of the function, but for those of loops around nothing
    Reversed *reversed;  // takes the logs, and what stands in the way
    uint64_t kept, called; // bytes of its own logs, and at most of those of a call
} Maker;

// Both sweeps of statements.
void maker_block(Maker *maker, const TirBlock *block);
// The same of a loop whose bounds are constants. A log that is too long is an obstacle.
void maker_loop(Maker *maker, const TirStmt *stmt);
// Copies of statements ahead, whose loops have variables of their own.
void maker_copy(Maker *maker, const TirBlock *block);
// Sets all of a variable.
void maker_set(Maker *maker, TirBlock *block, TirVar *var, TirExpr *value);

#endif
