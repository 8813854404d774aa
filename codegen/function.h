// Functions: i32 f(state, params..., result), returning a tml_status. Scalars go by value (bool as
// i1), arrays by pointer; the result, scalar or array, is written through the last pointer.
#ifndef TMLC_CODEGEN_FUNCTION_H
#define TMLC_CODEGEN_FUNCTION_H

#include "codegen/gen.h"

// Creates the LLVM function; its callers can be generated before its body.
void function_declare(Gen *gen, const TirFunction *function);
void function_define(Gen *gen, const TirFunction *function);
// Emits a TIR_CALL.
void function_call(Gen *gen, const TirStmt *call);

// Where a variable lives.
LLVMValueRef function_var_address(Gen *gen, const TirVar *var);
// Memory for one value that lives as long as the function's frame.
LLVMValueRef function_temporary(Gen *gen, const Type *type);

#endif
