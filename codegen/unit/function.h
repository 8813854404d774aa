// Functions: i32 f(context, params..., result), returning a tml_status. The context is the state;
// in components it is state, params, inputs, outputs. Scalars go by value (bool as i1), arrays by
// pointer; the result, scalar or array, is written through the last pointer.
#ifndef TMLC_CODEGEN_UNIT_FUNCTION_H
#define TMLC_CODEGEN_UNIT_FUNCTION_H

#include "codegen/gen.h"

// Creates the LLVM function; its callers can be generated before its body.
void function_declare(Gen *gen, const TirFunction *function);
void function_define(Gen *gen, const TirFunction *function);

#endif
