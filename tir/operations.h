// How much work functions do, counted on planned TIR. docs/embedding.md says what counts.
#ifndef TMLC_TIR_OPERATIONS_H
#define TMLC_TIR_OPERATIONS_H

#include "tir/tir.h"

// Of one call. Figures stop at UINT64_MAX.
typedef struct Operations {
    uint64_t flops;  // + - * / sqrt min max of reals
    uint64_t calls;  // of functions that libm has, % of reals among them
    uint64_t loads;  // elements of arrays; scalars that live longer than the call
    uint64_t stores; // the same
    bool is_bound;   // control flow decides; no call does more
    bool is_endless; // a `while`, or a `for` whose length is not known: there is no bound, and the
                     // figures mean nothing
} Operations;

// One for each of the program's functions, in their order; what they call counts too.
Operations *operations_count(Arena *arena, const TirProgram *program);
// Of one run of statements of the function, before planning, too.
Operations operations_of(Arena *arena, const TirFunction *function, const TirBlock *block);
// Of a call of one after a call of the other.
Operations operations_join(const Operations *first, const Operations *second);

#endif
