// Copies of all turns of a loop, one after the other, in which its variable is a constant.
#ifndef TMLC_TIR_TURNS_H
#define TMLC_TIR_TURNS_H

#include "tir/build.h"
#include "tir/uses.h"

typedef struct TirTurns {
    Tir *tir;
    TirUses *uses; // of the function's variables, before any copy was made
    unsigned left; // nodes that copies may still have
    // Whether what a turn has for itself (indices, factors, parts of arrays that begin elsewhere in
    // each turn) is read where it comes from, if that is free.
    bool binds;
    const TirStmt *loop; // at hand
    bool binds_copies;   // in it there are copies of parts of arrays that need not be made
} TirTurns;

// Turns stay in their order, and copies compute what they computed, traps included. Only integers
// are folded: reals would be the compiler's. False: its turns are not constant, it does more than
// set, choose and count, or copies would be too long.
bool tir_copy_turns(TirTurns *turns, TirStmt *loop, TirBlock *copies);
// The same of all loops in the body of one, whose own variable stays.
bool tir_copy_body(TirTurns *turns, TirStmt *loop, TirBlock *body);

#endif
