// exp and what is made of it. The argument is cut into a multiple of log 2 and a rest of at most
// half of it (Cody and Waite 1980), whose power is a polynomial; the multiple becomes the exponent,
// in two steps, so that results below the normal reals are rounded once.
#include "tir/math/functions.h"

#include "tir/math/parts.h"

#include <math.h>

#define LOG2E 0x1.71547652b82fep+0

// Adding it rounds to a whole number, which is then in the lower bits with twice the bias.
static MathReal biased_rounder(const Math *math) {
    const MathFormat *format = math_format(math);
    return math_number(math, format->rounder + 2 * format->bias);
}

typedef struct Reduced {
    MathReal rest;  // x - k log 2
    MathReal whole; // k
    MathBits exponent;
} Reduced;

static Reduced reduce(const Math *math, MathReal x) {
    const MathFormat *format = math_format(math);
    MathReal rounder = biased_rounder(math);
    MathReal shifted = math_mul_add(math, x, math_number(math, LOG2E), rounder);
    MathReal whole = math_sub(math, shifted, rounder);
    MathReal rest = math_mul_add(math, whole, math_number(math, -format->ln2_high), x);
    rest = math_mul_add(math, whole, math_number(math, -format->ln2_low), rest);
    return (Reduced){rest, whole, math_bits(math, shifted)};
}

// e**r - 1 of a rest.
static MathReal power_minus_1(const Math *math, MathReal rest) {
    MathReal square = math_mul(math, rest, rest);
    return math_mul_add(math, square, math_series(math, &math_exp, rest), rest);
}

// 2**k of k + bias in the lower bits.
static MathReal power_of_2(const Math *math, MathBits exponent) {
    return math_real(math, math_with(math, BITS_SHL, exponent, math_format(math)->shift));
}

static MathReal power_of_2_less_bias(const Math *math, MathBits exponent) {
    uint64_t bias = (uint64_t)math_format(math)->bias;
    return power_of_2(math, math_with(math, BITS_SUB, exponent, bias));
}

MathReal math_scale(const Math *math, MathScaled scaled) {
    if (math->is_single && !math->is_narrow) { // there is room
        return math_mul(math, scaled.value, power_of_2_less_bias(math, scaled.exponent));
    }
    MathBits half = math_with(math, BITS_SHR, scaled.exponent, 1);
    MathBits other = math_combine(math, BITS_SUB, scaled.exponent, half);
    MathReal result = math_mul(math, scaled.value, power_of_2(math, half));
    return math_mul(math, result, power_of_2(math, other));
}

static Reduced reduce_pair(const Math *math, MathReal x, const MathReal *low) {
    Reduced reduced = reduce(math, x);
    if (low != NULL) {
        reduced.rest = math_add(math, reduced.rest, *low);
    }
    return reduced;
}

// 1 + rest is exact in two parts, so that nothing but the sum of the pair rounds much.
MathScaledPair math_exp_pair(const Math *math, MathReal x, const MathReal *low) {
    Reduced reduced = reduce_pair(math, x, low);
    MathReal rest = reduced.rest;
    MathPair sum = math_exact_sum(math, math_number(math, 1), rest);
    MathReal square = math_mul(math, rest, rest);
    sum.low = math_mul_add(math, square, math_series(math, &math_exp, rest), sum.low);
    return (MathScaledPair){sum, reduced.exponent};
}

MathScaled math_exp_parts(const Math *math, MathReal x, const MathReal *low) {
    MathScaledPair pair = math_exp_pair(math, x, low);
    return (MathScaled){math_add(math, pair.value.high, pair.value.low), pair.exponent};
}

// Beyond these all results are 0 or infinite.
static MathReal clamped(const Math *math, MathReal x) {
    return math->is_single ? math_clamp(math, x, -110, 90) : math_clamp(math, x, -746, 710);
}

MathReal apply_exp(const Math *math, MathReal x) {
    return math_scale(math, math_exp_parts(math, clamped(math, x), NULL));
}

MathReal apply_exp2(const Math *math, MathReal x) {
    x = math->is_single ? math_clamp(math, x, -160, 130) : math_clamp(math, x, -1077, 1025);
    MathReal rounder = biased_rounder(math);
    MathReal shifted = math_add(math, x, rounder);
    MathReal rest = math_sub(math, x, math_sub(math, shifted, rounder));
    MathReal value = math_mul(math, rest, math_series(math, &math_exp2, rest));
    return math_scale(math, (MathScaled){math_plus(math, value, 1), math_bits(math, shifted)});
}

// (e**x - 1) / 2**halves as 2**k (p + (1 - 2**-k)), p = e**r - 1. The last bits of x that are not
// normal are lost where it is halved.
static MathReal minus_1(const Math *math, MathReal x, uint64_t halves) {
    enum { NO_MATTER = 60 }; // 2**-k beside 1
    MathReal least = math_number(math, -40);
    Reduced reduced = reduce(math, math_choose(math, math_less(math, x, least), least, x));
    MathReal most = math_number(math, NO_MATTER);
    MathReal whole = math_choose(math, math_less(math, most, reduced.whole), most, reduced.whole);
    MathReal shifted = math_sub(math, biased_rounder(math), whole);
    MathReal inverse = power_of_2_less_bias(math, math_bits(math, shifted));
    MathReal sum = math_add(math, math_sub(math, math_number(math, 1), inverse),
                            power_minus_1(math, reduced.rest));
    MathBits exponent = math_with(math, BITS_SUB, reduced.exponent, halves);
    return math_scale(math, (MathScaled){sum, exponent});
}

// x itself where it is so small that the result is.
static MathReal or_same(const Math *math, MathReal result, MathReal size, MathReal x) {
    return math_choose(math, math_below(math, size, 0x1p-30), x, result);
}

MathReal apply_expm1(const Math *math, MathReal x) {
    MathReal most = math_number(math, math->is_single ? 90 : 710);
    MathReal result = minus_1(math, math_choose(math, math_less(math, most, x), most, x), 0);
    MathTest is_tiny = math_below(math, math_abs(math, x), 0x1p-54);
    return math_choose(math, is_tiny, x, result);
}

// With h = (e**x - 1) / 2: h + h / (2 h + 1).
MathReal apply_sinh(const Math *math, MathReal x) {
    MathReal size = math_abs(math, x);
    MathReal half = minus_1(math, math_clamp(math, size, 0, math->is_single ? 90 : 711), 1);
    MathReal other = math_div(math, half, math_plus(math, math_add(math, half, half), 1));
    other = math_choose(math, math_above(math, half, 0x1p60), math_number(math, 0), other);
    return or_same(math, math_with_sign(math, math_add(math, half, other), x), size, x);
}

// With h = e**x / 2: h + 1 / (4 h).
MathReal apply_cosh(const Math *math, MathReal x) {
    MathReal size = math_clamp(math, math_abs(math, x), 0, math->is_single ? 90 : 711);
    MathScaled scaled = math_exp_parts(math, size, NULL);
    scaled.exponent = math_with(math, BITS_SUB, scaled.exponent, 1);
    MathReal half = math_scale(math, scaled);
    return math_add(math, half, math_div(math, math_number(math, 0.25), half));
}

// With t = e**2x - 1: t / (t + 2).
MathReal apply_tanh(const Math *math, MathReal x) {
    MathReal size = math_abs(math, x);
    MathReal twice = math_clamp(math, math_add(math, size, size), 0, 44);
    MathReal value = minus_1(math, twice, 0);
    value = math_div(math, value, math_plus(math, value, 2));
    return or_same(math, math_with_sign(math, value, x), size, x);
}
