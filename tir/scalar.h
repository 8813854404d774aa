// The meaning of every element-wise operation on scalars, for values known while compiling.
#ifndef TMLC_TIR_SCALAR_H
#define TMLC_TIR_SCALAR_H

#include "tir/tir.h"

#include <stdbool.h>

// args[0..arity) are operands of the given roots. False when the operation traps (a zero divisor).
bool scalar_apply(TirOp op, const Root *roots, const TirScalar *args, bool single,
                  TirScalar *result);
// L2.9: from one root to another.
TirScalar scalar_convert(TirScalar value, Root from, Root to, bool single);
// The value as a number: bool counts as 0 or 1.
double scalar_as_real(TirScalar value, Root root);

#endif
