// Copies of statements with variables of their own: those of their loops, and those that nothing
// else reads or writes.
#ifndef TMLC_TIR_OWN_H
#define TMLC_TIR_OWN_H

#include "tir/build.h"
#include "tir/uses.h"

// What the text of the function uses while it changes, by the ids of variables.
typedef struct TirOwn {
    Tir *tir;
    TirFunction *function;
    TirUses *uses;
    TirUses *here;   // of a part; all 0 but in a change
    size_t capacity; // of both
} TirOwn;

TirOwn own_create(Tir *tir, TirFunction *function);
// Adds uses by statements that are new in the text, or with -1 takes those of others away.
void own_count(TirOwn *own, const TirBlock *block, int sign);
// Appends copies of the statements, whose uses are counted. They are none that inputs or outputs
// and no nests.
void own_copy(TirOwn *own, const TirBlock *from, TirBlock *to);
// Around what takes uses away from the statements of a block.
void own_begin_change(TirOwn *own, const TirBlock *block);
void own_end_change(TirOwn *own, const TirBlock *block);

#endif
