// What a turn of a loop of one block waits for: reals that the turn before hands on.
#ifndef TMLC_CODEGEN_TARGET_WAITS_H
#define TMLC_CODEGEN_TARGET_WAITS_H

#include "codegen/gen.h"
#include "support/table.h"

typedef struct Waits {
    Table cycles; // of what waits: when it is there, about, after some turns, and one more
    Table handed; // what the next turn is made of
    LIST_OF(LLVMValueRef)
    alone;               // sums and products that are there sooner if LLVM does not join them
    unsigned last;       // cycles of what is handed on
    unsigned turn;       // that a turn takes
    unsigned operations; // of reals in a turn
} Waits;

// False: the block is no loop of its own, or hands on no reals.
bool waits_find(Gen *gen, LLVMBasicBlockRef block, Waits *waits);
// Whether a value waits for the turn before, and the next turn for it.
bool waits_hands_on(const Waits *waits, LLVMValueRef value);

#endif
