// What hosts see of the derivatives of a step: the tml_linear of runtime/abi/model.h.
#ifndef TMLC_CODEGEN_UNIT_LINEAR_H
#define TMLC_CODEGEN_UNIT_LINEAR_H

#include "codegen/gen.h"

// The table with its function; a null pointer where the program has none (TirProgram.linear).
LLVMValueRef linear_table(Gen *gen);

#endif
