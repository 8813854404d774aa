// Loops over a few channels, as the three of a motor, each of which goes through stages in loops
// inside: the same work on all channels at once is one of vectors.
#ifndef TMLC_TIR_BANK_H
#define TMLC_TIR_BANK_H

#include "tir/build.h"
#include "tir/uses.h"

// What does the same as the loop, in new statements and new variables of the function.
typedef struct TirBank {
    TirBlock before; // turns small matrices of the file that have a row for each channel
    TirBlock body;   // of the loop: without loops, and with columns of what was turned
    TirBlock behind; // turns those back that are written
} TirBank;

// `uses` are those of the function's variables. False: the loop is another one, or goes through so
// many stages that its turns are better left apart.
bool tir_bank(Tir *tir, TirFunction *function, TirUses *uses, TirStmt *loop, TirBank *bank);
// Says of the matrices that statements turn that they are (`is_turned`): these are in place.
void tir_bank_mark(const TirBlock *before);
// Turns the matrices of which the function, one of a step, takes what all channels have of a stage,
// `z[:, k]`, and nothing else.
void tir_bank_columns(Tir *tir, TirFunction *function);

#endif
