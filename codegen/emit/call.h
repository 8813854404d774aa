// Calls of the program's functions (unit/function.h has their signature).
#ifndef TMLC_CODEGEN_EMIT_CALL_H
#define TMLC_CODEGEN_EMIT_CALL_H

#include "codegen/gen.h"

enum { CALL_CONTEXT_LIMIT = 5 };

// How many arguments a context is: the state; the other structs of a component; and, in those of
// instances, the state of the program.
unsigned call_context_count(const Gen *gen);
// Puts a context as arguments and returns how many there are.
unsigned call_context_args(Gen *gen, const GenContext *at, LLVMValueRef *args);
// Calls it with these arguments, context and result included, and returns the status.
LLVMValueRef call_value(Gen *gen, const TirFunction *function, LLVMValueRef *args, unsigned count);
// Emits a STMT_CALL.
void call_stmt(Gen *gen, const TirStmt *call);

#endif
