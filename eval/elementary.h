// The oracle's elementary functions of tensors.
#ifndef TMLC_EVAL_ELEMENTARY_H
#define TMLC_EVAL_ELEMENTARY_H

#include "tir/tir.h"

// What compiled code computes for an element, to the bit. False where the operation is none of
// them, or for this element the C library's.
__attribute__((warn_unused_result)) bool ref_elementary(TirOp op, const TirScalar *args,
                                                        bool single, bool fused, TirScalar *result);

#endif
