// erf and erfc. erf is an odd polynomial up to 5/4, and 1 - erfc beyond, where few digits of erfc
// matter: it is a power of a polynomial. erfc is 1 - erf up to 3/4 and keeps all digits down to the
// least reals beyond: e**(-x x) with the square in two parts, times a function of 1 / (x + 1) that
// hardly changes (as Shepherd and Laframboise 1981 have one of a similar quotient).
#include "tir/math/functions.h"

#include "tir/math/parts.h"

#define BORDER 1.25

// Up to BORDER.
static MathReal small_error(const Math *math, MathReal size) {
    MathReal square = math_mul(math, size, size);
    return math_mul_add(math, size, math_series(math, &math_erf, square), size);
}

MathReal apply_erf(const Math *math, MathReal x) {
    enum { SQUARES = 4 };
    MathReal size = math_abs(math, x);
    MathReal beyond = math_clamp(math, math_plus(math, size, -BORDER), 0, 4.75);
    MathReal power = math_series(math, &math_erfc_root, beyond);
    for (int i = 0; i < SQUARES; i++) {
        power = math_mul(math, power, power);
    }
    MathReal far = math_sub(math, math_number(math, 1), power);
    MathTest is_near = math_below(math, size, BORDER);
    return math_with_sign(math, math_choose(math, is_near, small_error(math, size), far), x);
}

// e**(x x) erfc(x), x >= 3/4, a function that hardly changes, of 1 / (x + 1), which is found to
// twice the digits, over x + 1.
static MathReal scaled_complement(const Math *math, MathReal x) {
    MathReal one = math_number(math, 1);
    MathReal sum = math_plus(math, x, 1);
    MathReal back = math_plus(math, sum, -1);
    MathReal lost =
        math_add(math, math_sub(math, x, back), math_sub(math, one, math_sub(math, sum, back)));
    MathReal inverse = math_div(math, one, sum);
    MathPair product = math_exact_product(math, inverse, sum);
    MathReal error = math_sub(math, math_sub(math, one, product.high), product.low);
    error = math_sub(math, error, math_mul(math, inverse, lost));
    MathReal low = math_mul(math, inverse, error);
    MathReal quotient = math_add(math, math_plus(math, inverse, -0.3125), low);
    MathReal factor = math_series(math, &math_erfc, quotient);
    return math_mul_add(math, factor, inverse, math_mul(math, factor, low));
}

MathReal apply_erfc(const Math *math, MathReal x) {
    MathReal one = math_number(math, 1);
    MathReal size = math_clamp(math, math_abs(math, x), 0, math->is_single ? 11 : 28);
    MathReal near = math_sub(math, one, math_with_sign(math, small_error(math, size), x));
    MathPair square = math_exact_product(math, size, size);
    MathReal low = math_negated(math, square.low);
    MathScaledPair power = math_exp_pair(math, math_negated(math, square.high), &low);
    MathReal factor = scaled_complement(math, size);
    MathReal product = math_mul(math, power.value.low, factor);
    product = math_mul_add(math, power.value.high, factor, product);
    MathReal far = math_scale(math, (MathScaled){product, power.exponent});
    far = math_choose(math, math_below(math, x, 0), math_sub(math, math_number(math, 2), far), far);
    return math_choose(math, math_below(math, size, 0.75), near, far);
}
