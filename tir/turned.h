// Small matrices of the file that have a row for each of a few channels, turned, so that what all
// channels have of a stage is a row.
#ifndef TMLC_TIR_TURNED_H
#define TMLC_TIR_TURNED_H

#include "tir/build.h"

enum {
    TURNED_CHANNELS = 7, // at most; more of them are batches (pass_batch)
    TURNED_MATRICES = 8,
    TURNED_ELEMENTS = 64, // of one
    TURNED_STAGES = 24,   // of all of them: so many vectors are carried from step to step
    TURNED_RANK = 4,
};

// A matrix, and what stands for it.
typedef struct TurnedMatrix {
    TirVar *var;
    bool is_other; // it is used in a way that keeps it from being turned
    TirVar *turned;
} TurnedMatrix;

typedef struct Turned {
    Tir *tir;
    TirFunction *function;
    TurnedMatrix items[TURNED_MATRICES];
    size_t count;
    bool is_full; // there were more
} Turned;

// Notes a use of a variable. Those that could not be turned are left alone.
void turned_note(Turned *turned, TirVar *var, bool is_other);
// Whether some are to be turned for so much work in a turn or for all channels at once: for each
// stage of theirs there is to be some.
bool turned_pay(const Turned *turned, uint64_t work);
// Turns them, as new variables of the function, which `body` uses instead: in `before`, and back
// in `behind` where they are written.
void turned_make(Turned *turned, const TirBlock *body, TirBlock *before, TirBlock *behind);

#endif
