// Loops that look for a turn: `for i = 0:n: if x[i] > limit: return i`.
#ifndef TMLC_CODEGEN_EMIT_SEEK_H
#define TMLC_CODEGEN_EMIT_SEEK_H

#include "codegen/gen.h"

// The number of a turn before which none leaves the loop, which runs from `first` to `last`: found
// by the condition of many turns at once. `first` itself where the loop does anything else than to
// ask a condition for which it is left.
LLVMValueRef seek_turn(Gen *gen, TirStmt *loop, LLVMValueRef first, LLVMValueRef last);

#endif
