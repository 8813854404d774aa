// What the files of the elementary functions have of each other.
#ifndef TMLC_TIR_MATH_PARTS_H
#define TMLC_TIR_MATH_PARTS_H

#include "tir/math/algebra.h"

// What depends on how long reals are: of doubles and of singles.
typedef struct MathFormat {
    unsigned shift; // of the exponent in the bits
    double bias;    // of it
    uint64_t sign, mantissa;
    uint64_t one, root_half; // the bits of 1 and of the root of 1/2
    double least_normal;
    double subnormal_digits; // by which what is subnormal is made normal
    double rounder;          // adding it rounds to a whole number, which is then in the lower bits
    // log 2: the upper part times a whole number up to 2**11, of doubles, or 2**9 is exact.
    double ln2_high, ln2_low;
    double pi[3]; // a sum
    double far;   // MathIsFar
} MathFormat;

const MathFormat *math_format(const Math *math);

// value * 2**k
typedef struct MathScaled {
    MathReal value;
    MathBits exponent; // the lower bits are k + 2 bias, those above anything
} MathScaled;

// e**(x + low), |low| below a bit of x; x may be far beyond what a double can be the power of, but
// not beyond 1000.
MathScaled math_exp_parts(const Math *math, MathReal x, const MathReal *low);
// The same before the value is rounded.
typedef struct MathScaledPair {
    MathPair value;
    MathBits exponent;
} MathScaledPair;
MathScaledPair math_exp_pair(const Math *math, MathReal x, const MathReal *low);
// Rounds once.
MathReal math_scale(const Math *math, MathScaled scaled);
MathReal math_log_part(const Math *math, MathReal x);
// x = (1 + f) * 2**k, 1 + f from the root of 1/2 to that of 2; x is not subnormal.
typedef struct MathSplit {
    MathReal mantissa; // 1 + f
    MathBits exponent; // k + bias
} MathSplit;
MathSplit math_split(const Math *math, MathReal x);
// The whole number in the bits, which is not negative, less `bias`.
MathReal math_exponent(const Math *math, MathBits exponent, double bias);

// The functions, each in the file of its family.
MathReal apply_exp(const Math *math, MathReal x);
MathReal apply_exp2(const Math *math, MathReal x);
MathReal apply_expm1(const Math *math, MathReal x);
MathReal apply_sinh(const Math *math, MathReal x);
MathReal apply_cosh(const Math *math, MathReal x);
MathReal apply_tanh(const Math *math, MathReal x);
MathReal apply_log(const Math *math, MathReal x);
MathReal apply_log2(const Math *math, MathReal x);
MathReal apply_log10(const Math *math, MathReal x);
MathReal apply_log1p(const Math *math, MathReal x);
MathReal apply_asinh(const Math *math, MathReal x);
MathReal apply_acosh(const Math *math, MathReal x);
MathReal apply_atanh(const Math *math, MathReal x);
MathReal apply_sin(const Math *math, MathReal x);
MathReal apply_cos(const Math *math, MathReal x);
MathReal apply_tan(const Math *math, MathReal x);
MathReal apply_asin(const Math *math, MathReal x);
MathReal apply_acos(const Math *math, MathReal x);
MathReal apply_atan(const Math *math, MathReal x);
MathReal apply_cbrt(const Math *math, MathReal x);
MathReal apply_erf(const Math *math, MathReal x);
MathReal apply_erfc(const Math *math, MathReal x);
MathReal apply_atan2(const Math *math, MathReal y, MathReal x);
MathReal apply_pow(const Math *math, MathReal x, MathReal y);
MathReal apply_hypot(const Math *math, MathReal x, MathReal y);

#endif
