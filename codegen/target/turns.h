// How many turns of a short loop are written out one after another.
#ifndef TMLC_CODEGEN_TARGET_TURNS_H
#define TMLC_CODEGEN_TARGET_TURNS_H

#include "codegen/gen.h"

// Tells LLVM so, of all innermost loops of the module that count to a known length.
void turns_choose(Gen *gen);

#endif
