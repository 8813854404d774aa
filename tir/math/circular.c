// sin, cos and tan. A multiple of pi, or of half of it, is taken off in parts whose products are
// exact (Cody and Waite), so that what is left has all of its digits up to MathFormat.far; beyond
// that the C library's functions are called. sin and cos need no more than one odd polynomial then:
// cos is a sine that is shifted by half of pi.
#include "tir/math/functions.h"

#include "tir/math/parts.h"

#define INVERSE_PI 0x1.45f306dc9c883p-2

// Without a fused multiply-add: the multiple has 24 digits at most, and the upper parts have 29, so
// that their products are exact. With it the first product is exact whatever it is.
static const double cut_pi[] = {0x1.921fb54000000p+1, 0x1.10b4611000000p-29, 0x1.4c4c662000000p-58,
                                0x1.1701b839a2520p-87};

// x - multiple * pi. What rounding took from it goes to *lost, where there is one; it is exact when
// the result is large beside what was taken off after the first part, 2**-6 at most.
static MathReal rest_of(const Math *math, MathReal x, MathReal multiple, MathReal *lost) {
    const double *parts = math->is_fused ? math_format(math)->pi : cut_pi;
    unsigned count = math->is_fused ? 3 : 4;
    if (math->is_single && !math->is_narrow) {
        count--;
    }
    for (unsigned i = 0; i < count; i++) {
        MathReal part = math_number(math, -parts[i]);
        MathReal rest = math_mul_add(math, multiple, part, x);
        if (lost != NULL && i > 0) { // the first is exact
            MathReal step = math_mul_add(math, multiple, part, math_sub(math, x, rest));
            *lost = i == 1 ? step : math_add(math, *lost, step);
        }
        x = rest;
    }
    return x;
}

static MathReal odd_sum(const Math *math, const MathSeries *series, MathReal x, MathReal square) {
    MathReal cube = math_mul(math, x, square);
    return math_mul_add(math, cube, math_series(math, series, square), x);
}

// The sign of `result` turned when the number in the lower bits is odd.
static MathReal turned(const Math *math, MathReal result, MathReal shifted) {
    MathBits sign = math_with(math, BITS_SHL, math_bits(math, shifted), math->is_narrow ? 31 : 63);
    return math_real(math, math_combine(math, BITS_XOR, math_bits(math, result), sign));
}

static MathReal or_zero(const Math *math, MathReal result, MathReal x) {
    return math_choose(math, math_equal(math, x, math_number(math, 0)), x, result);
}

// sin of what is left after a multiple of pi.
static MathReal sine_of_rest(const Math *math, MathReal rest) {
    MathReal result = odd_sum(math, &math_sin, rest, math_mul(math, rest, rest));
    return math_clamp(math, result, -1, 1); // a last bit may be too much
}

MathReal apply_sin(const Math *math, MathReal x) {
    MathReal rounder = math_number(math, math_format(math)->rounder);
    MathReal shifted = math_mul_add(math, x, math_number(math, INVERSE_PI), rounder);
    MathReal rest = rest_of(math, x, math_sub(math, shifted, rounder), NULL);
    return or_zero(math, turned(math, sine_of_rest(math, rest), shifted), x);
}

// x = (k + 1/2) pi + rest; the number that is rounded is k + 1, because the sine comes with a
// minus.
MathReal apply_cos(const Math *math, MathReal x) {
    MathReal rounder = math_number(math, math_format(math)->rounder + 1);
    MathReal nearest =
        math_mul_add(math, x, math_number(math, INVERSE_PI), math_number(math, -0.5));
    MathReal shifted = math_add(math, nearest, rounder);
    MathReal multiple = math_plus(math, math_sub(math, shifted, rounder), 0.5);
    MathReal rest = rest_of(math, x, multiple, NULL);
    return turned(math, sine_of_rest(math, rest), shifted);
}

// sin / cos up to a quarter of pi; -cos / sin where half of pi was taken off an odd number of
// times.
MathReal apply_tan(const Math *math, MathReal x) {
    MathReal rounder = math_number(math, math_format(math)->rounder);
    MathReal shifted = math_mul_add(math, x, math_number(math, 2 * INVERSE_PI), rounder);
    MathReal multiple = math_times(math, math_sub(math, shifted, rounder), 0.5);
    MathReal lost;
    MathReal rest = rest_of(math, x, multiple, &lost);
    MathTest is_small = math_below(math, math_abs(math, rest), 0.125);
    lost = math_choose(math, is_small, math_number(math, 0), lost);
    MathReal square = math_mul(math, rest, rest);
    MathReal cube = math_mul(math, rest, square);
    MathReal sin = math_series(math, &math_sin_quarter, square);
    sin = math_add(math, math_mul_add(math, cube, sin, lost), rest);
    MathPair start = math_exact_sum(math, math_number(math, 1), math_times(math, square, -0.5));
    MathReal cos = math_mul_add(math, math_mul(math, square, square),
                                math_series(math, &math_cos_quarter, square), start.low);
    cos = math_add(math, start.high, cos);
    MathTest is_odd = math_is_odd(math, math_bits(math, shifted));
    MathReal above = math_choose(math, is_odd, cos, sin);
    MathReal below = math_choose(math, is_odd, sin, cos);
    return or_zero(math, turned(math, math_div(math, above, below), shifted), x);
}

bool math_has_far(TirOp op) {
    return op == OP_SIN || op == OP_COS || op == OP_TAN;
}

MathTest math_is_far(const Math *math, MathReal x) {
    return math_above(math, math_abs(math, x), math_format(math)->far);
}
