// The oracle's derivatives: numbers that carry how they change (dual numbers), and of these again
// where derivatives are taken of derivatives. A number of level 0 is a value; one of level k is a
// value of level k - 1 and its change, also of level k - 1. Values are those of eval/scalar.h; what
// is beside them is in long double, and knows the rules of L17.6 and L17.7 from here alone.
#ifndef TMLC_EVAL_DUAL_H
#define TMLC_EVAL_DUAL_H

#include "tir/tir.h"

enum { DUAL_LEVELS = 2, DUAL_PARTS = 1 << DUAL_LEVELS };

// part[0] is the value; the upper half of the 1 << level parts is the change of the lower half.
typedef struct Dual {
    long double part[DUAL_PARTS];
} Dual;

// An operation on reals whose result is real (args[0] of SELECT is its condition, not 0 for true).
Dual dual_apply(TirOp op, unsigned level, const Dual *args);
// What a reduction of reals to a real holds after another term.
Dual dual_accumulate(TirReduction op, unsigned level, Dual sum, Dual term);
// A product of terms of a matrix product: without L17.7.
Dual dual_product(unsigned level, Dual a, Dual b);

#endif
