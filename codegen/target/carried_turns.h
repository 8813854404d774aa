// How many turns of a loop that carries vectors are written out one after another.
#ifndef TMLC_CODEGEN_TARGET_CARRIED_TURNS_H
#define TMLC_CODEGEN_TARGET_CARRIED_TURNS_H

#include "codegen/gen.h"

// Tells LLVM so, of all innermost loops of the module whose number of turns is not known.
void carried_turns_choose(Gen *gen);

#endif
