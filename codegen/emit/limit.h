// Limits that catch nans, as in `if not (u <= 5.0): u = 5.0`.
#ifndef TMLC_CODEGEN_EMIT_LIMIT_H
#define TMLC_CODEGEN_EMIT_LIMIT_H

#include "codegen/gen.h"

// Of the condition of a branch, before it is used.
void limit_branch(Gen *gen, LLVMValueRef condition, const TirStmt *branch);
// The choice between two values.
LLVMValueRef limit_select(Gen *gen, LLVMValueRef condition, LLVMValueRef yes, LLVMValueRef no);

#endif
