// log and what is made of it. x is 2**k (1 + f), and log(1 + f) comes from s = f / (2 + f), of
// which it is an odd function with small terms (Ng's algorithm of fdlibm; Tang 1990): f - (h - s (h
// + R)), h = f f / 2, so that only the last sum rounds much.
#include "tir/math/functions.h"

#include "tir/math/parts.h"

#include <math.h>

#define ROOT_HALF 0x3fe6a09e667f3bcdu // bits of the root of 1/2
#define ONE 0x3ff0000000000000u
#define MANTISSA 0x000fffffffffffffu
#define TWO_52 0x4330000000000000u // bits of 2**52, to which a whole number can be or'ed
#define UPPER_21 0xffffffff00000000u

MathSplit math_split(const Math *math, MathReal x) {
    MathBits bits = math_with(math, BITS_ADD, math_bits(math, x), ONE - ROOT_HALF);
    MathBits mantissa =
        math_with(math, BITS_ADD, math_with(math, BITS_AND, bits, MANTISSA), ROOT_HALF);
    return (MathSplit){math_real(math, mantissa), math_with(math, BITS_SHR, bits, 52)};
}

MathReal math_exponent(const Math *math, MathBits exponent, double bias) {
    MathReal real = math_real(math, math_with(math, BITS_OR, exponent, TWO_52));
    return math_plus(math, real, -(0x1p52 + bias));
}

// log(1 + f) = f - (square - product)
typedef struct LogParts {
    MathReal f;
    MathReal square;  // f f / 2
    MathReal product; // s (square + R)
} LogParts;

static LogParts parts_of(const Math *math, MathReal f) {
    MathReal s = math_div(math, f, math_plus(math, f, 2));
    MathReal z = math_mul(math, s, s);
    MathReal tail = math_mul(math, z, math_series(math, &math_log, z));
    MathReal square = math_mul(math, math_times(math, f, 0.5), f);
    return (LogParts){f, square, math_mul(math, s, math_add(math, square, tail))};
}

// k log 2 + log(1 + f)
static MathReal sum_of(const Math *math, MathReal k, LogParts log) {
    MathReal low = math_mul_add(math, k, math_number(math, MATH_LN2_LOW), log.product);
    MathReal rest = math_sub(math, math_sub(math, log.square, low), log.f);
    return math_sub(math, math_times(math, k, MATH_LN2_HIGH), rest);
}

// x = (1 + f) 2**k, of any x above 0.
typedef struct Cut {
    MathReal f, k;
} Cut;

static Cut cut(const Math *math, MathReal x) {
    if (math->is_single) { // whose least are normal as doubles
        MathSplit split = math_split(math, x);
        return (Cut){math_plus(math, split.mantissa, -1),
                     math_exponent(math, split.exponent, 1023)};
    }
    MathTest is_small = math_below(math, x, 0x1p-1022);
    MathSplit split = math_split(math, math_choose(math, is_small, math_times(math, x, 0x1p54), x));
    MathReal real = math_real(math, math_with(math, BITS_OR, split.exponent, TWO_52));
    MathReal bias = math_choose(math, is_small, math_number(math, 0x1p52 + 1023 + 54),
                                math_number(math, 0x1p52 + 1023));
    return (Cut){math_plus(math, split.mantissa, -1), math_sub(math, real, bias)};
}

MathReal math_log_part(const Math *math, MathReal x) {
    Cut parts = cut(math, x);
    return sum_of(math, parts.k, parts_of(math, parts.f));
}

// What is not a number above 0: `zero` is where the logarithm is -infinity.
static MathReal with_limits(const Math *math, MathReal result, MathReal x, double zero) {
    result = math_choose(math, math_below(math, x, (double)INFINITY), result, x);
    result = math_choose(math, math_below(math, x, zero), math_number(math, (double)NAN), result);
    MathTest is_zero = math_equal(math, x, math_number(math, zero));
    return math_choose(math, is_zero, math_number(math, -(double)INFINITY), result);
}

// The logarithm in another base: that of 1 + f in two parts, the upper one of 21 digits, times
// 1 / log(base) in two parts, of which the upper one has 32; k times log(2) in that base.
typedef struct Base {
    double high, low;
    double two_high, two_low;
} Base;

static const Base base_2 = {0x1.7154765200000p+0, 0x1.705fc2eefa200p-33, 1, 0};
static const Base base_10 = {0x1.bcb7b15200000p-2, 0x1.b9438ca9aadd5p-36, 0x1.34413509f6000p-2,
                             0x1.9fef311f12b36p-42};

static MathReal log_in_base(const Math *math, const Base *base, MathReal x) {
    Cut parts = cut(math, x);
    LogParts log = parts_of(math, parts.f);
    MathReal high = math_sub(math, log.f, log.square);
    high = math_real(math, math_with(math, BITS_AND, math_bits(math, high), UPPER_21));
    MathReal low = math_sub(math, math_sub(math, log.f, high), log.square);
    low = math_add(math, low, log.product);
    MathReal value = math_times(math, math_add(math, low, high), base->low);
    value = math_mul_add(math, low, math_number(math, base->high), value);
    MathReal k_log = parts.k;
    if (base->two_low != 0) {
        k_log = math_times(math, parts.k, base->two_high);
        value = math_mul_add(math, parts.k, math_number(math, base->two_low), value);
    }
    MathPair sum = math_exact_sum(math, k_log, math_times(math, high, base->high));
    return math_add(math, math_add(math, value, sum.low), sum.high);
}

// log(1 + x): 1 + x rounded is (1 + f) 2**k, and what rounding took goes to f.
MathReal math_log1p_part(const Math *math, MathReal x) {
    MathReal sum = math_plus(math, x, 1);
    MathReal back = math_plus(math, sum, -1);
    MathReal lost = math_sub(math, math_number(math, 1), math_sub(math, sum, back));
    lost = math_add(math, lost, math_sub(math, x, back));
    MathSplit split = math_split(math, sum);
    // 2**-k; beyond 2**60 nothing is lost that matters
    MathBits inverse = math_combine(math, BITS_SUB, math->whole(math->data, 2046), split.exponent);
    MathReal scale = math_real(math, math_with(math, BITS_SHL, inverse, 52));
    lost = math_mul(math, lost, scale);
    lost = math_choose(math, math_below(math, sum, 0x1p60), lost, math_number(math, 0));
    MathReal f = math_add(math, math_plus(math, split.mantissa, -1), lost);
    return sum_of(math, math_exponent(math, split.exponent, 1023), parts_of(math, f));
}

static MathReal logarithm_plus_1(const Math *math, MathReal x) {
    MathReal result = with_limits(math, math_log1p_part(math, x), x, -1);
    MathTest is_tiny = math_below(math, math_abs(math, x), 0x1p-54);
    return math_choose(math, is_tiny, x, result);
}

// asinh and acosh are log(2 x) from here on.
#define LARGE 0x1p28

static MathReal large_or(const Math *math, MathReal x, MathReal argument) {
    MathTest is_large = math_above(math, x, LARGE);
    argument = math_choose(math, is_large, math_plus(math, x, -1), argument);
    MathReal more = math_choose(math, is_large, math_number(math, M_LN2), math_number(math, 0));
    MathReal result = math_add(math, math_log1p_part(math, argument), more);
    return math_choose(math, math_below(math, x, (double)INFINITY), result, x);
}

// log(1 + (a + a a / (1 + sqrt(a a + 1))))
static MathReal inverse_sine(const Math *math, MathReal x) {
    MathReal size = math_abs(math, x);
    MathReal square = math_mul(math, size, size);
    MathReal root = math_sqrt(math, math_plus(math, square, 1));
    MathReal argument = math_add(math, size, math_div(math, square, math_plus(math, root, 1)));
    return math_with_sign(math, large_or(math, size, argument), x);
}

// log(1 + (t + sqrt(2 t + t t))), t = x - 1
static MathReal inverse_cosine(const Math *math, MathReal x) {
    MathReal t = math_plus(math, x, -1);
    MathReal root = math_sqrt(math, math_mul_add(math, t, t, math_add(math, t, t)));
    MathReal result = large_or(math, x, math_add(math, t, root));
    return math_choose(math, math_below(math, x, 1), math_number(math, (double)NAN), result);
}

// log(1 + 2 a / (1 - a)) / 2
static MathReal inverse_tangent(const Math *math, MathReal x) {
    MathReal size = math_abs(math, x);
    MathReal below = math_sub(math, math_number(math, 1), size);
    MathReal argument = math_div(math, math_add(math, size, size), below);
    MathReal result = with_limits(math, math_log1p_part(math, argument), argument, -1);
    result = math_choose(math, math_above(math, size, 1), math_number(math, (double)NAN), result);
    return math_with_sign(math, math_times(math, result, 0.5), x);
}

MathReal math_logarithm(const Math *math, TirOp op, MathReal x) {
    switch ((int)op) {
    case OP_LOG: return with_limits(math, math_log_part(math, x), x, 0);
    case OP_LOG2: return with_limits(math, log_in_base(math, &base_2, x), x, 0);
    case OP_LOG10: return with_limits(math, log_in_base(math, &base_10, x), x, 0);
    case OP_LOG1P: return logarithm_plus_1(math, x);
    case OP_ASINH: return inverse_sine(math, x);
    case OP_ACOSH: return inverse_cosine(math, x);
    default: return inverse_tangent(math, x);
    }
}
