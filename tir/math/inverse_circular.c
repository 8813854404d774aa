// asin, acos, atan and atan2: odd polynomials near 0, and the addition theorems for the rest.
#include "tir/math/functions.h"

#include "tir/math/parts.h"

#include <math.h>

static MathReal odd_sum(const Math *math, const MathSeries *series, MathReal x, MathReal square) {
    MathReal cube = math_mul(math, x, square);
    return math_mul_add(math, cube, math_series(math, series, square), x);
}

// halves * pi / 2 - x
static MathReal below_pi(const Math *math, double halves, MathReal x) {
    const double *pi = math_format(math)->pi;
    MathReal rest = math_plus(math, x, -(halves / 2) * pi[1]);
    return math_sub(math, math_number(math, halves / 2 * pi[0]), rest);
}

// asin(x) up to 1/2; beyond that asin(sqrt((1 - x) / 2)), which is half of acos(x).
typedef struct Arc {
    MathReal value;
    MathTest is_far; // |x| > 1/2
} Arc;

static Arc arc_of(const Math *math, MathReal size) {
    MathTest is_far = math_above(math, size, 0.5);
    MathReal half = math_times(math, math_sub(math, math_number(math, 1), size), 0.5);
    MathReal square = math_choose(math, is_far, half, math_mul(math, size, size));
    MathReal root = math_choose(math, is_far, math_sqrt(math, half), size);
    return (Arc){odd_sum(math, &math_asin, root, square), is_far};
}

MathReal apply_asin(const Math *math, MathReal x) {
    Arc arc = arc_of(math, math_abs(math, x));
    MathReal far = below_pi(math, 1, math_add(math, arc.value, arc.value));
    return math_with_sign(math, math_choose(math, arc.is_far, far, arc.value), x);
}

MathReal apply_acos(const Math *math, MathReal x) {
    Arc arc = arc_of(math, math_abs(math, x));
    MathReal twice = math_add(math, arc.value, arc.value);
    MathTest is_negative = math_below(math, x, 0);
    MathReal far = math_choose(math, is_negative, below_pi(math, 2, twice), twice);
    MathReal near = below_pi(math, 1, math_with_sign(math, arc.value, x));
    return math_choose(math, arc.is_far, far, near);
}

// atan(t) up to 1. The middle of the interval is the middle of the series, whose terms would cancel
// each other at its end.
static MathReal small_arc_tangent(const Math *math, MathReal t) {
    MathReal square = math_mul(math, t, t);
    MathReal series = math_series(math, &math_atan, math_plus(math, square, -0.5));
    return math_mul_add(math, math_mul(math, t, square), series, t);
}

MathReal apply_atan(const Math *math, MathReal x) {
    MathReal size = math_abs(math, x);
    MathReal one = math_number(math, 1);
    MathTest is_far = math_less(math, one, size);
    MathReal quotient =
        math_div(math, math_choose(math, is_far, one, size), math_choose(math, is_far, size, one));
    MathReal arc = small_arc_tangent(math, quotient);
    arc = math_choose(math, is_far, below_pi(math, 1, arc), arc);
    return math_with_sign(math, arc, x);
}

MathReal apply_atan2(const Math *math, MathReal y, MathReal x) {
    MathReal height = math_abs(math, y);
    MathReal width = math_abs(math, x);
    MathTest is_steep = math_less(math, width, height);
    MathReal quotient = math_div(math, math_choose(math, is_steep, width, height),
                                 math_choose(math, is_steep, height, width));
    // 0 / 0 and infinity / infinity have a meaning here.
    MathReal zero = math_number(math, 0);
    MathReal one = math_choose(math, math_equal(math, height, zero), zero, math_number(math, 1));
    quotient = math_choose(math, math_equal(math, height, width), one, quotient);
    MathReal arc = small_arc_tangent(math, quotient);
    arc = math_choose(math, is_steep, below_pi(math, 1, arc), arc);
    MathTest is_left = math_below(math, math_with_sign(math, math_number(math, 1), x), 0);
    arc = math_choose(math, is_left, below_pi(math, 2, arc), arc);
    arc = math_with_sign(math, arc, y);
    MathTest has_nan = math_unordered(math, x, y);
    return math_choose(math, has_nan, math_number(math, (double)NAN), arc);
}
