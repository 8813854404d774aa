// The elementary functions of tensors (L5.6), in the words of algebra.h. What has no function here
// is the C library's, element by element.
#ifndef TMLC_TIR_MATH_FUNCTIONS_H
#define TMLC_TIR_MATH_FUNCTIONS_H

#include "tir/math/algebra.h"
#include "tir/tir.h"

// Whether it is faster than the C library's on a target with, or without, a fused multiply-add.
bool math_has(TirOp op, bool is_fused);
// Whether arithmetic in single is exact enough for results in single; pairs of singles are not.
bool math_is_narrow(TirOp op, bool is_fused);
// `b` counts for functions of two.
MathReal math_apply(const Math *math, TirOp op, MathReal a, MathReal b);
// Whether arguments may be beyond what math_apply can do (math_is_far): then the C library's
// function has the result. Of those it depends on the element alone.
bool math_has_far(TirOp op);
MathTest math_is_far(const Math *math, MathReal x);

#endif
