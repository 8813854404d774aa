// Forward derivatives: functions that compute, beside each value that changes, its changes along
// several directions at once, statement by statement.
#ifndef TMLC_TIR_DERIVE_FORWARD_H
#define TMLC_TIR_DERIVE_FORWARD_H

#include "tir/derive/active.h"
#include "tir/derive/directions.h"

// A function with the changes of its results.
typedef struct Twin {
    const Active *active;
    uint32_t directions;
    bool has_values; // and with the results before these
    TirFunction *made;
} Twin;

// What is made for a program.
typedef struct Forward {
    Tir *tir;
    Actives actives;
    LIST_OF(const Twin *) twins;
    LIST_OF(TirFunction *) functions; // in which callees stand before callers
    uint32_t count;                   // of functions made so far
} Forward;

// Which derivative a function gives whose one result is that of `active->function`.
typedef struct ForwardGoal {
    const Active *active; // its parameters that are asked for
    uint32_t directions;
    // By position, of those that are active: how they change, a constant. NULL: a parameter more
    // says, these in the order of those that they are the changes of.
    TirExpr *const *seeds;
} ForwardGoal;

// A function without a body that is made of another, whose symbol ends in the word and a number.
TirFunction *forward_new_function(Forward *forward, const TirFunction *from, const char *word);

// The change of the result, behind the result itself where the function is shared.
TirFunction *forward_function(Forward *forward, const ForwardGoal *goal);

#endif
