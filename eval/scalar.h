// The oracle's operations on single scalars, in plain C.
#ifndef TMLC_EVAL_SCALAR_H
#define TMLC_EVAL_SCALAR_H

#include "tir/tir.h"

// One element of an operation on operands of `root` (of the first; the second of a comparison may
// have another, `other`). `single`: reals are rounded to single. Sets *trapped on an integer
// division by zero and returns 0 then.
TirScalar ref_apply(TirOp op, Root root, Root other, const TirScalar *args, bool single,
                    bool *trapped);
// L2.9.
TirScalar ref_convert(Root to, Root from, TirScalar value, bool single);
// What a reduction holds after `value`, which is number `position` of its terms (not the first).
// `best` is the position of *sum for argmin and argmax.
void ref_accumulate(TirReduction op, Root root, bool single, TirScalar value, uint32_t position,
                    TirScalar *sum, uint32_t *best);

#endif
