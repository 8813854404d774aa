// What a plan may depend on beside the program: the machine and the options. Bits depend on none of
// `embedded`, `opt_level`, `small`, `tables` and `threads`.
#ifndef TMLC_CODEGEN_PLAN_FACTS_H
#define TMLC_CODEGEN_PLAN_FACTS_H

#include "codegen/options.h"

#include <stdbool.h>

typedef struct PlanFacts {
    bool vectors;              // of reals are worth making
    unsigned vector_bytes;     // of a register
    unsigned vector_registers; // about
    bool mask_registers;       // hold what comparisons give, a bit for each lane
    bool tables;               // small ones are held in registers, from which lanes pick
    bool fma;
    bool selects;  // `a > b ? a : b` of reals is simpler than the greatest of two
    bool streams;  // stores past the caches are known to gain
    bool single;   // reals are IEEE single
    bool embedded; // no symbol from outside but libm's
    FpMode fp;
    unsigned opt_level;
    bool small;            // -Os and -Oz
    bool few_parted;       // registers are enough for rows in pieces (plan/parted.h)
    unsigned threads;      // that share large loops; below 2 there is one
    uint64_t threads_from; // cycles that such a loop takes
} PlanFacts;

#endif
