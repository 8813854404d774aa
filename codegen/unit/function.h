// Functions: i32 f(context, params..., result), returning a tml_status. The context is the state;
// in components it is state, params, inputs, outputs. Scalars go by value (bool as i1), arrays by
// pointer; the result, scalar or array, is written through the last pointer.
#ifndef TMLC_CODEGEN_UNIT_FUNCTION_H
#define TMLC_CODEGEN_UNIT_FUNCTION_H

#include "codegen/gen.h"

enum { FUNCTION_CONTEXT_LIMIT = 4 };

// Creates the LLVM function; its callers can be generated before its body.
void function_declare(Gen *gen, const TirFunction *function);
void function_define(Gen *gen, const TirFunction *function);
// Puts a context as arguments and returns how many there are: 1 or FUNCTION_CONTEXT_LIMIT.
unsigned function_context_args(Gen *gen, const GenContext *at, LLVMValueRef *args);
// Calls it with these arguments, context and result included, and returns the status.
LLVMValueRef function_call_value(Gen *gen, const TirFunction *function, LLVMValueRef *args,
                                 unsigned count);
// Emits a STMT_CALL.
void function_call(Gen *gen, const TirStmt *call);

// Where a variable lives.
LLVMValueRef function_var_address(Gen *gen, const TirVar *var);
// Memory for one value that lives as long as the function's frame.
LLVMValueRef function_temporary(Gen *gen, const Type *type);

#endif
