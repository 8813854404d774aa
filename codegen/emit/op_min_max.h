// The lesser and the greater of two values, scalars or vectors of as many lanes.
#ifndef TMLC_CODEGEN_EMIT_OP_MIN_MAX_H
#define TMLC_CODEGEN_EMIT_OP_MIN_MAX_H

#include "codegen/gen.h"

LLVMValueRef op_min_max(Gen *gen, bool is_max, Root root, LLVMValueRef a, LLVMValueRef b);
// The same element by element, where the operands are of use for themselves.
LLVMValueRef op_min_max_pair(Gen *gen, bool is_max, Root root, LLVMValueRef a, LLVMValueRef b);
// The same of scalars of which `late` is known much later: little is left to do then.
LLVMValueRef op_min_max_late(Gen *gen, bool is_max, Root root, LLVMValueRef soon,
                             LLVMValueRef late);

#endif
