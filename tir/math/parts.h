// What the files of the elementary functions have of each other.
#ifndef TMLC_TIR_MATH_PARTS_H
#define TMLC_TIR_MATH_PARTS_H

#include "tir/math/algebra.h"

#define MATH_LN2_HIGH 0x1.62e42fefa0000p-1 // 37 digits: times a whole number of 16 it is exact
#define MATH_LN2_LOW 0x1.cf79abc9e3b3ap-40

// value * 2**k
typedef struct MathScaled {
    MathReal value;
    MathBits exponent; // the lower 12 bits are k + 2046, the others anything
} MathScaled;

// e**(x + low), |low| below a bit of x; x may be far beyond what a double can be the power of, but
// not beyond 1000.
MathScaled math_exp_parts(const Math *math, MathReal x, const MathReal *low);
// The same with 1 less in the value.
MathScaled math_exp_less_1_parts(const Math *math, MathReal x, const MathReal *low);
// Rounds once.
MathReal math_scale(const Math *math, MathScaled scaled);
// log(1 + x), x > -1
MathReal math_log1p_part(const Math *math, MathReal x);
MathReal math_log_part(const Math *math, MathReal x);
// x = (1 + f) * 2**k, 1 + f from the root of 1/2 to that of 2; x is not subnormal.
typedef struct MathSplit {
    MathReal mantissa; // 1 + f
    MathBits exponent; // k + 1023
} MathSplit;
MathSplit math_split(const Math *math, MathReal x);
MathReal math_exponent(const Math *math, MathBits exponent, double bias);

#endif
