// What statements take, by which the way of a derivative is chosen.
#ifndef TMLC_TIR_DERIVE_COST_H
#define TMLC_TIR_DERIVE_COST_H

#include "support/table.h"
#include "tir/build.h"

typedef struct Costs {
    Tir *tir;
    Table known, widest; // by function
} Costs;

// Vector operations of one run of the statements and of what they call. Loops of which nothing is
// known turn 16 times.
uint64_t cost_of(Costs *costs, const TirBlock *block);
// The most elements that a value has in the function and in what it calls.
uint32_t cost_widest(Costs *costs, const TirFunction *function);

#endif
