// What a division of vectors of reals leaves, without a call.
#ifndef TMLC_CODEGEN_EMIT_REMAINDER_H
#define TMLC_CODEGEN_EMIT_REMAINDER_H

#include "codegen/gen.h"

// Whether this is a function of libm for which remainder_near is, and the target has what that
// needs.
bool remainder_has(Gen *gen, const char *name);
// x less the multiple of y that `fmod` takes away, or `remainder`, for vectors: exact, as they are.
// *is_far: the lanes for which it is not, with quotients above 2^50, and y near the ends of the
// range.
LLVMValueRef remainder_near(Gen *gen, const char *name, LLVMValueRef x, LLVMValueRef y,
                            LLVMValueRef *is_far);

#endif
