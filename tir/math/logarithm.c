// log and what is made of it. x is 2**k (1 + f), and log(1 + f) comes from s = f / (2 + f), of
// which it is an odd function with small terms (Ng's algorithm of fdlibm; Tang 1990): f - (h - s (h
// + R)), h = f f / 2, so that only the last sum rounds much.
#include "tir/math/functions.h"

#include "tir/math/parts.h"

#include <math.h>

MathSplit math_split(const Math *math, MathReal x) {
    const MathFormat *format = math_format(math);
    MathBits bits = math_with(math, BITS_ADD, math_bits(math, x), format->one - format->root_half);
    MathBits mantissa = math_with(math, BITS_AND, bits, format->mantissa);
    mantissa = math_with(math, BITS_ADD, mantissa, format->root_half);
    return (MathSplit){math_real(math, mantissa), math_with(math, BITS_SHR, bits, format->shift)};
}

// The number in the lower bits of the first real that has no bits below the point.
static MathReal whole_number(const Math *math, MathBits bits) {
    const MathFormat *format = math_format(math);
    uint64_t first = ((uint64_t)format->bias + format->shift) << format->shift;
    return math_real(math, math_with(math, BITS_OR, bits, first));
}

// That real, and as much.
static MathReal first_whole(const Math *math, double more) {
    return math_number(math, ldexp(1, (int)math_format(math)->shift) + more);
}

MathReal math_exponent(const Math *math, MathBits exponent, double bias) {
    return math_sub(math, whole_number(math, exponent), first_whole(math, bias));
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
    MathReal low =
        math_mul_add(math, k, math_number(math, math_format(math)->ln2_low), log.product);
    MathReal rest = math_sub(math, math_sub(math, log.square, low), log.f);
    return math_sub(math, math_times(math, k, math_format(math)->ln2_high), rest);
}

// x = (1 + f) 2**k, of any x above 0.
typedef struct Cut {
    MathReal f, k;
} Cut;

static Cut cut(const Math *math, MathReal x) {
    const MathFormat *format = math_format(math);
    if (math->is_single && !math->is_narrow) { // whose least are normal as doubles
        MathSplit split = math_split(math, x);
        return (Cut){math_plus(math, split.mantissa, -1),
                     math_exponent(math, split.exponent, format->bias)};
    }
    double digits = format->subnormal_digits;
    MathTest is_small = math_below(math, x, format->least_normal);
    MathReal larger = math_times(math, x, ldexp(1, (int)digits));
    MathSplit split = math_split(math, math_choose(math, is_small, larger, x));
    MathReal bias = math_choose(math, is_small, first_whole(math, format->bias + digits),
                                first_whole(math, format->bias));
    MathReal k = math_sub(math, whole_number(math, split.exponent), bias);
    return (Cut){math_plus(math, split.mantissa, -1), k};
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

// The logarithm in another base: that of 1 + f in two parts, times 1 / log(base) in two parts, and
// k times log(2) in that base. The products of upper parts are exact.
typedef struct Base {
    double high, low;
    double two_high, two_low;
} Base;

static const Base base_2[] = {
    {0x1.7154765200000p+0, 0x1.705fc2eefa200p-33, 1, 0},
    {0x1.714p+0, 0x1.47652cp-12, 1, 0},
};
static const Base base_10[] = {
    {0x1.bcb7b15200000p-2, 0x1.b9438ca9aadd5p-36, 0x1.34413509f6000p-2, 0x1.9fef311f12b36p-42},
    {0x1.bcap-2, 0x1.7b1526p-14, 0x1.344p-2, 0x1.3509f8p-18},
};

static MathReal log_in_base(const Math *math, const Base *bases, MathReal x) {
    const Base *base = &bases[math->is_narrow];
    uint64_t upper_half = math->is_narrow ? 0xfffff000u : 0xffffffff00000000u;
    Cut parts = cut(math, x);
    LogParts log = parts_of(math, parts.f);
    MathReal high = math_sub(math, log.f, log.square);
    high = math_real(math, math_with(math, BITS_AND, math_bits(math, high), upper_half));
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

// log(1 + x), x > -1: 1 + x rounded is (1 + f) 2**k, and what rounding took goes to f.
static MathReal log1p_part(const Math *math, MathReal x) {
    MathReal sum = math_plus(math, x, 1);
    MathReal back = math_plus(math, sum, -1);
    MathReal lost = math_sub(math, math_number(math, 1), math_sub(math, sum, back));
    lost = math_add(math, lost, math_sub(math, x, back));
    MathSplit split = math_split(math, sum);
    // 2**-k; beyond 2**60 nothing is lost that matters
    const MathFormat *format = math_format(math);
    MathBits twice = math->whole(math->data, 2 * (uint64_t)format->bias);
    MathBits inverse = math_combine(math, BITS_SUB, twice, split.exponent);
    MathReal scale = math_real(math, math_with(math, BITS_SHL, inverse, format->shift));
    lost = math_mul(math, lost, scale);
    lost = math_choose(math, math_below(math, sum, 0x1p60), lost, math_number(math, 0));
    MathReal f = math_add(math, math_plus(math, split.mantissa, -1), lost);
    return sum_of(math, math_exponent(math, split.exponent, format->bias), parts_of(math, f));
}

MathReal apply_log(const Math *math, MathReal x) {
    return with_limits(math, math_log_part(math, x), x, 0);
}

MathReal apply_log2(const Math *math, MathReal x) {
    return with_limits(math, log_in_base(math, base_2, x), x, 0);
}

MathReal apply_log10(const Math *math, MathReal x) {
    return with_limits(math, log_in_base(math, base_10, x), x, 0);
}

MathReal apply_log1p(const Math *math, MathReal x) {
    MathReal result = with_limits(math, log1p_part(math, x), x, -1);
    MathTest is_tiny = math_below(math, math_abs(math, x), 0x1p-54);
    return math_choose(math, is_tiny, x, result);
}

// asinh and acosh are log(2 x) from here on.
#define LARGE 0x1p28

static MathReal large_or(const Math *math, MathReal x, MathReal argument) {
    MathTest is_large = math_above(math, x, LARGE);
    argument = math_choose(math, is_large, math_plus(math, x, -1), argument);
    MathReal more = math_choose(math, is_large, math_number(math, M_LN2), math_number(math, 0));
    MathReal result = math_add(math, log1p_part(math, argument), more);
    return math_choose(math, math_below(math, x, (double)INFINITY), result, x);
}

// log(1 + (a + a a / (1 + sqrt(a a + 1))))
MathReal apply_asinh(const Math *math, MathReal x) {
    MathReal size = math_abs(math, x);
    MathReal square = math_mul(math, size, size);
    MathReal root = math_sqrt(math, math_plus(math, square, 1));
    MathReal argument = math_add(math, size, math_div(math, square, math_plus(math, root, 1)));
    return math_with_sign(math, large_or(math, size, argument), x);
}

// log(1 + (t + sqrt(2 t + t t))), t = x - 1
MathReal apply_acosh(const Math *math, MathReal x) {
    MathReal t = math_plus(math, x, -1);
    MathReal root = math_sqrt(math, math_mul_add(math, t, t, math_add(math, t, t)));
    MathReal result = large_or(math, x, math_add(math, t, root));
    return math_choose(math, math_below(math, x, 1), math_number(math, (double)NAN), result);
}

// log(1 + 2 a / (1 - a)) / 2
MathReal apply_atanh(const Math *math, MathReal x) {
    MathReal size = math_abs(math, x);
    MathReal below = math_sub(math, math_number(math, 1), size);
    MathReal argument = math_div(math, math_add(math, size, size), below);
    MathReal result = with_limits(math, log1p_part(math, argument), argument, -1);
    result = math_choose(math, math_above(math, size, 1), math_number(math, (double)NAN), result);
    return math_with_sign(math, math_times(math, result, 0.5), x);
}
