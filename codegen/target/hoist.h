// What a loop of one block need not do in each turn.
#ifndef TMLC_CODEGEN_TARGET_HOIST_H
#define TMLC_CODEGEN_TARGET_HOIST_H

#include "codegen/gen.h"

// Whether it may come after itself.
bool hoist_is_loop(LLVMBasicBlockRef block);
// Whether there is a place before the loop that `block` is where both values are known: else it is
// no loop, they are computed in it, or it is not plain which of them comes later.
bool hoist_can(LLVMBasicBlockRef block, LLVMValueRef a, LLVMValueRef b);
// Sets the builder there.
void hoist_enter(Gen *gen, LLVMValueRef a, LLVMValueRef b);

#endif
