// Reverse derivatives: functions that compute their values ahead and then, from the last statement
// to the first, by how much what they were asked for changes with each variable.
#ifndef TMLC_TIR_DERIVE_REVERSE_H
#define TMLC_TIR_DERIVE_REVERSE_H

#include "tir/derive/forward.h"

// Why there is no reverse derivative.
typedef struct Obstacle {
    Span loop;
    bool is_log; // one that is longer than it may be; else nothing bounds the turns of the loop
    // Of a log: the bytes of one turn, of all turns, in sections, and what it may have; the
    // variables in it.
    uint32_t turns;
    uint64_t turn, bytes, sectioned, limit;
    const char *variables;
} Obstacle;

// A function with the adjoints of its parameters.
typedef struct Reversed {
    const Active *active;
    TirFunction *made;        // NULL: there is none
    const Obstacle *obstacle; // then
    TirTapes tapes;           // of its loops and of those that it calls
    uint64_t tape;            // bytes of them, of which those of calls share memory
} Reversed;

typedef struct Reverse {
    Forward *forward; // has what both make
    LIST_OF(const Reversed *) known;
} Reverse;

// A function of the same parameters, by value, and then for each result that is active, and each
// in-out parameter, its adjoint; its results are the adjoints of the active parameters, and behind
// them those of the function where it is shared. None where a loop turns as often as values say, or
// would keep more than it may (Tir.tape).
const Reversed *reverse_function(Reverse *reverse, const Active *active);

#endif
