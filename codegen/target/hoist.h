// What a loop of one block need not do in each turn.
#ifndef TMLC_CODEGEN_TARGET_HOIST_H
#define TMLC_CODEGEN_TARGET_HOIST_H

#include "codegen/gen.h"

// Sets the builder before the loop that `block` is, where both values are known. False, and leaves
// it where it is: it is no loop, they are computed in it, or it is not plain which of them comes
// later.
bool hoist_enter(Gen *gen, LLVMBasicBlockRef block, LLVMValueRef a, LLVMValueRef b);

#endif
