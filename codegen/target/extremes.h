// The least and the greatest of reals: of vectors networks are made, as medians are.
#ifndef TMLC_CODEGEN_TARGET_EXTREMES_H
#define TMLC_CODEGEN_TARGET_EXTREMES_H

#include "codegen/gen.h"

// Puts instructions of the machine in the place of `llvm.minimum` and `llvm.maximum`.
void extremes_late(Gen *gen);
// Whether an instruction is one of the two; and which.
bool extremes_is_one(LLVMValueRef at);
bool extremes_is_max(LLVMValueRef at);
// The same of other operands, where the builder stands.
LLVMValueRef extremes_again(Gen *gen, LLVMValueRef at, LLVMValueRef a, LLVMValueRef b);

#endif
