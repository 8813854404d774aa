// Reverse derivatives: functions that compute their values ahead and then, from the last statement
// to the first, by how much what they were asked for changes with each variable.
#ifndef TMLC_TIR_DERIVE_REVERSE_H
#define TMLC_TIR_DERIVE_REVERSE_H

#include "tir/derive/forward.h"

// A function with the adjoints of its parameters.
typedef struct Reversed {
    const Active *active;
    TirFunction *made; // NULL: there is none
} Reversed;

typedef struct Reverse {
    Forward *forward; // has what both make
    LIST_OF(const Reversed *) known;
} Reverse;

// A function of the same parameters, by value, and then for each result that is active, and each
// in-out parameter, its adjoint; its results are the adjoints of the active parameters. NULL where
// a loop turns as often as values say, or would keep more than it may (Tir.tape).
TirFunction *reverse_function(Reverse *reverse, const Active *active);

#endif
