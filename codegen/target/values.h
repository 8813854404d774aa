// Questions about values in LLVM's form.
#ifndef TMLC_CODEGEN_TARGET_VALUES_H
#define TMLC_CODEGEN_TARGET_VALUES_H

#include "codegen/gen.h"

bool value_is_vector(LLVMValueRef value);

// What the address, of an element or of the whole, is computed from.
LLVMValueRef value_array(LLVMValueRef address);

// What a phi is where that block leads to it; NULL: it does not.
LLVMValueRef value_from(LLVMValueRef phi, LLVMBasicBlockRef block);

#endif
