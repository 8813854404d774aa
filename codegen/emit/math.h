// Elementary functions of tensors.
#ifndef TMLC_CODEGEN_EMIT_MATH_H
#define TMLC_CODEGEN_EMIT_MATH_H

#include "codegen/gen.h"

// Whether an element of this map comes from tir/math (L5.6); else from the C library. It depends on
// the type, the target and --fp alone.
bool emit_math_has(Gen *gen, const TirExpr *map);
// The function of tir/math, of scalars or of as many lanes.
LLVMValueRef emit_math(Gen *gen, TirOp op, const LLVMValueRef *args);
// The C library's function of that name, lane by lane.
LLVMValueRef emit_math_library(Gen *gen, const char *name, LLVMValueRef *args, unsigned count);

#endif
