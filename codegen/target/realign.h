// The alignment of stack frames that hold vectors.
#ifndef TMLC_CODEGEN_TARGET_REALIGN_H
#define TMLC_CODEGEN_TARGET_REALIGN_H

#include "codegen/gen.h"

// Marks the functions of the finished module that may save vectors on the stack, so that their
// frames are aligned for it.
void realign_frames(Gen *gen);
bool realign_is_marked(LLVMValueRef function);

#endif
