// pow, cbrt and hypot. x**y is e**(y log x), for which the logarithm and the product have to have
// some ten digits more than a double: both are sums of two.
#include "tir/math/functions.h"

#include "tir/math/parts.h"

#include <math.h>

#define ONE 0x3ff0000000000000u
#define MANTISSA 0x000fffffffffffffu
#define ROUNDER 0x1.8p52

// log(1 + f) = 2 s + s**3 (2/3 + z tail), s = f / (2 + f), z = s s.
static MathPair log_of_mantissa(const Math *math, MathReal mantissa) {
    MathReal f = math_plus(math, mantissa, -1);
    MathPair below = math_exact_sum(math, math_number(math, 1), mantissa);
    MathReal inverse = math_div(math, math_number(math, 1), below.high);
    MathPair s;
    s.high = math_mul(math, f, inverse);
    MathPair product = math_exact_product(math, s.high, below.high);
    MathReal rest = math_sub(math, math_sub(math, f, product.high), product.low);
    rest = math_sub(math, rest, math_mul(math, s.high, below.low));
    s.low = math_mul(math, rest, inverse);
    MathPair z = math_pair_product(math, s, s);
    MathReal tail = math_mul(math, z.high, math_series(math, &math_log_tail, z.high));
    MathPair third = math_exact_sum(math, math_number(math, 0x1.5555555555555p-1), tail);
    third.low = math_plus(math, third.low, 0x1.5555555555555p-55);
    MathPair cube = math_pair_product(math, math_pair_product(math, s, z), third);
    MathPair sum = math_exact_sum(math, math_add(math, s.high, s.high), cube.high);
    sum.low = math_add(math, sum.low, math_add(math, cube.low, math_add(math, s.low, s.low)));
    return sum;
}

static MathPair log_of(const Math *math, MathReal x) {
    MathTest is_small = math_below(math, x, 0x1p-1022);
    MathSplit split = math_split(math, math_choose(math, is_small, math_times(math, x, 0x1p54), x));
    MathReal k = math_exponent(math, split.exponent, 1023);
    k = math_choose(math, is_small, math_plus(math, k, -54), k);
    MathPair log = log_of_mantissa(math, split.mantissa);
    MathPair sum = math_exact_sum(math, math_times(math, k, math_format(math)->ln2_high), log.high);
    MathReal low = math_mul_add(math, k, math_number(math, math_format(math)->ln2_low), log.low);
    return math_exact_sum(math, sum.high, math_add(math, sum.low, low));
}

// x**y, x > 0 and finite.
static MathReal positive_power(const Math *math, MathReal x, MathReal y) {
    // Beyond this the result is 0 or infinite, or x is 1.
    y = math_clamp(math, y, -0x1p80, 0x1p80);
    if (math->is_single) {
        MathReal product = math_mul(math, y, math_log_part(math, x));
        return math_scale(math, math_exp_parts(math, math_clamp(math, product, -110, 90), NULL));
    }
    MathPair log = log_of(math, x);
    MathPair product = math_exact_product(math, y, log.high);
    MathReal low = math_mul_add(math, y, log.low, product.low);
    MathPair sum = math_exact_sum(math, product.high, low);
    MathReal high = math_clamp(math, sum.high, -800, 800);
    low = math_choose(math, math_equal(math, high, sum.high), sum.low, math_number(math, 0));
    return math_scale(math, math_exp_parts(math, high, &low));
}

// Whether an exponent is a whole number; of 0 nothing depends on it.
typedef struct Parity {
    MathTest is_whole, is_odd; // an odd one is whole
} Parity;

static Parity parity_of(const Math *math, MathReal y) {
    MathReal size = math_clamp(math, math_abs(math, y), 0x1p-60, 0x1p53); // half of it is exact
    MathReal half = math_times(math, size, 0.5);
    MathReal rounder = math_number(math, 0x1p52); // which rounds to a whole number what is below it
    MathReal whole_half = math_sub(math, math_add(math, half, rounder), rounder);
    MathReal rest = math_abs(math, math_sub(math, half, whole_half)); // 0, 1/2, or between
    MathTest is_even = math_equal(math, rest, math_number(math, 0));
    MathTest is_odd = math_equal(math, rest, math_number(math, 0.5));
    return (Parity){math_either(math, is_even, is_odd), is_odd};
}

// x**0.5 for any x: of -0 and of -infinity a power has no sign.
static MathReal root_of(const Math *math, MathReal x) {
    MathReal infinity = math_number(math, (double)INFINITY);
    MathReal root = math_plus(math, math_sqrt(math, x), 0);
    return math_choose(math, math_equal(math, math_abs(math, x), infinity), infinity, root);
}

// What C's Annex F says where a factor is 0 or infinite, or x negative; the others are done. A
// square and a root are rounded once (L5.3), a cube twice, so that all three take what they are
// worth where the exponent is known.
MathReal apply_pow(const Math *math, MathReal x, MathReal y) {
    MathReal zero = math_number(math, 0);
    MathReal one = math_number(math, 1);
    MathReal infinity = math_number(math, (double)INFINITY);
    MathReal size = math_abs(math, x);
    MathReal result = positive_power(math, size, y);
    Parity parity = parity_of(math, y);
    MathTest grows = math_less(math, zero, y);
    MathReal of_infinity = math_choose(math, grows, infinity, zero);
    MathReal of_zero = math_choose(math, grows, zero, infinity);
    result = math_choose(math, math_less(math, size, infinity), result, of_infinity);
    result = math_choose(math, math_equal(math, size, zero), of_zero, result);
    MathReal negative = math_choose(math, parity.is_odd, math_with_sign(math, result, x), result);
    MathTest is_defined = math_either(
        math, parity.is_whole,
        math_either(math, math_equal(math, size, zero), math_equal(math, size, infinity)));
    MathReal of_negative = math_choose(math, is_defined, negative, math_number(math, (double)NAN));
    MathReal signed_x = math_with_sign(math, one, x);
    result = math_choose(math, math_less(math, signed_x, zero), of_negative, result);
    MathTest has_nan = math_unordered(math, x, y);
    result = math_choose(math, has_nan, math_number(math, (double)NAN), result);
    MathTest is_one = math_either(math, math_equal(math, x, one), math_equal(math, y, zero));
    result = math_choose(math, is_one, one, result);
    MathReal square = math_mul(math, x, x);
    MathTest is_cube = math_equal(math, y, math_number(math, 3));
    result = math_choose(math, is_cube, math_mul(math, square, x), result);
    MathTest is_root = math_equal(math, y, math_number(math, 0.5));
    result = math_choose(math, is_root, root_of(math, x), result);
    MathTest is_square = math_equal(math, y, math_number(math, 2));
    return math_choose(math, is_square, square, result);
}

// x = m 2**(3 q + r), r in {-1, 0, 1}: the root of m 2**r from its inverse, which a polynomial has
// to 17 bits, by one step of Newton's for it and one for the root.
MathReal apply_cbrt(const Math *math, MathReal x) {
    MathReal size = math_abs(math, x);
    MathTest is_small = math_below(math, size, 0x1p-1022);
    MathReal scaled = math_choose(math, is_small, math_times(math, size, 0x1p54), size);
    MathBits bits = math_bits(math, scaled);
    MathReal k = math_exponent(math, math_with(math, BITS_SHR, bits, 52), 1022);
    MathBits lower = math_with(math, BITS_AND, bits, MANTISSA);
    MathReal m = math_real(math, math_with(math, BITS_OR, lower, ONE - (1ull << 52)));
    MathReal rounder = math_number(math, ROUNDER + 1023);
    MathReal shifted = math_mul_add(math, k, math_number(math, 0x1.5555555555555p-2), rounder);
    MathReal third = math_sub(math, shifted, rounder);
    MathReal rest = math_sub(math, k, math_times(math, third, 3));
    MathTest is_less = math_below(math, rest, 0);
    MathTest is_more = math_above(math, rest, 0);
    MathReal factor = math_choose(math, is_more, math_number(math, 2), math_number(math, 1));
    m = math_mul(math, m, math_choose(math, is_less, math_number(math, 0.5), factor));
    MathReal start = math_series(
        math, &math_cbrt, math_real(math, math_with(math, BITS_OR, lower, ONE - (1ull << 52))));
    factor =
        math_choose(math, is_more, math_number(math, 0x1.965fea53d6e3dp-1), math_number(math, 1));
    factor = math_choose(math, is_less, math_number(math, 0x1.428a2f98d728bp+0), factor);
    MathReal w = math_mul(math, start, factor); // about m**(-1/3)
    MathReal w_cubed = math_mul(math, math_mul(math, w, w), w);
    MathReal error = math_sub(math, math_number(math, 1), math_mul(math, m, w_cubed));
    w = math_mul_add(math, math_times(math, w, 0x1.5555555555555p-2), error, w);
    MathReal w_square = math_mul(math, w, w);
    MathReal root = math_mul(math, m, w_square);
    MathPair square = math_exact_product(math, root, root);
    MathPair cube = math_exact_product(math, square.high, root);
    MathReal missing = math_sub(math, math_sub(math, m, cube.high), cube.low);
    missing = math_sub(math, missing, math_mul(math, square.low, root));
    root = math_mul_add(math, missing, math_times(math, w_square, 0x1.5555555555555p-2), root);
    MathReal power = math_real(math, math_with(math, BITS_SHL, math_bits(math, shifted), 52));
    root = math_mul(math, root, power);
    root = math_choose(math, is_small, math_times(math, root, 0x1p-18), root);
    root = math_with_sign(math, root, x);
    MathTest is_plain = math_less(math, math_number(math, 0), size);
    root = math_choose(math, is_plain, root, x); // zeros and nan
    return math_choose(math, math_below(math, size, (double)INFINITY), root, x);
}

static MathReal root_of_squares(const Math *math, MathReal a, MathReal b) {
    return math_sqrt(math, math_mul_add(math, a, a, math_mul(math, b, b)));
}

// Scaled where squares would be too large or too small for doubles.
MathReal apply_hypot(const Math *math, MathReal x, MathReal y) {
    MathReal a = math_abs(math, x);
    MathReal b = math_abs(math, y);
    MathReal infinity = math_number(math, (double)INFINITY);
    MathTest is_infinite =
        math_either(math, math_equal(math, a, infinity), math_equal(math, b, infinity));
    if (math->is_single) {
        return math_choose(math, is_infinite, infinity, root_of_squares(math, a, b));
    }
    MathTest is_turned = math_less(math, a, b);
    MathReal most = math_choose(math, is_turned, b, a);
    MathReal least = math_choose(math, is_turned, a, b);
    MathTest is_large = math_above(math, most, 0x1p500);
    MathTest is_small = math_below(math, most, 0x1p-400);
    MathReal scale = math_choose(math, is_large, math_number(math, 0x1p-600), math_number(math, 1));
    scale = math_choose(math, is_small, math_number(math, 0x1p600), scale);
    MathReal back = math_choose(math, is_large, math_number(math, 0x1p600), math_number(math, 1));
    back = math_choose(math, is_small, math_number(math, 0x1p-600), back);
    MathReal result =
        root_of_squares(math, math_mul(math, most, scale), math_mul(math, least, scale));
    return math_choose(math, is_infinite, infinity, math_mul(math, result, back));
}
