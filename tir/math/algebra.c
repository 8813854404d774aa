// Words that the functions share. Polynomials go in two halves, of even and of odd powers, which do
// not wait for each other.
#include "tir/math/algebra.h"

#include "tir/math/parts.h"

// The upper 26 digits of a real: the product of two such has no more than 53.
#define UPPER_HALF 0xfffffffff8000000u

const MathFormat *math_format(const Math *math) {
    static const MathFormat formats[] = {
        {
            .shift = 52,
            .bias = 1023,
            .sign = 0x8000000000000000u,
            .mantissa = 0x000fffffffffffffu,
            .one = 0x3ff0000000000000u,
            .root_half = 0x3fe6a09e667f3bcdu,
            .least_normal = 0x1p-1022,
            .subnormal_digits = 54,
            .rounder = 0x1.8p52,
            .ln2_high = 0x1.62e42fefa0000p-1,
            .ln2_low = 0x1.cf79abc9e3b3ap-40,
            .pi = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53, -0x1.f1976b7ed8fbcp-109},
            .far = 0x1p24,
        },
        {
            .shift = 23,
            .bias = 127,
            .sign = 0x80000000u,
            .mantissa = 0x007fffffu,
            .one = 0x3f800000u,
            .root_half = 0x3f3504f3u,
            .least_normal = 0x1p-126,
            .subnormal_digits = 25,
            .rounder = 0x1.8p23,
            .ln2_high = 0x1.62e4p-1,
            .ln2_low = 0x1.7f7d1cp-20,
            .pi = {0x1.921fb6p+1, -0x1.777a5cp-24, -0x1.ee59dap-49},
            .far = 0x1p20,
        },
    };
    return &formats[math->is_narrow];
}

// Every second term, from `first` on.
static MathReal every_second(const Math *math, const MathTerms *series, unsigned first,
                             MathReal square) {
    unsigned last = series->count - 1;
    last -= (last - first) % 2;
    MathReal sum = math_number(math, series->terms[last]);
    for (unsigned k = last; k > first; k -= 2) {
        sum = math_mul_add(math, sum, square, math_number(math, series->terms[k - 2]));
    }
    return sum;
}

MathReal math_series(const Math *math, const MathSeries *series, MathReal x) {
    const MathTerms *terms = math->is_single ? &series->single : &series->whole;
    MathReal square = math_mul(math, x, x);
    MathReal even = every_second(math, terms, 0, square);
    return math_mul_add(math, every_second(math, terms, 1, square), x, even);
}

MathReal math_abs(const Math *math, MathReal a) {
    return math_real(math, math_with(math, BITS_AND, math_bits(math, a), ~math_format(math)->sign));
}

MathReal math_negated(const Math *math, MathReal a) {
    return math_real(math, math_with(math, BITS_XOR, math_bits(math, a), math_format(math)->sign));
}

MathReal math_with_sign(const Math *math, MathReal a, MathReal sign) {
    MathBits bit = math_with(math, BITS_AND, math_bits(math, sign), math_format(math)->sign);
    return math_real(math, math_combine(math, BITS_XOR, math_bits(math, a), bit));
}

MathReal math_clamp(const Math *math, MathReal a, double least, double most) {
    a = math_choose(math, math_above(math, a, most), math_number(math, most), a);
    return math_choose(math, math_below(math, a, least), math_number(math, least), a);
}

MathPair math_exact_sum(const Math *math, MathReal a, MathReal b) {
    MathReal sum = math_add(math, a, b);
    return (MathPair){sum, math_sub(math, b, math_sub(math, sum, a))};
}

// The same without a multiply-add: the factors are cut in halves (Veltkamp, Dekker 1971).
static MathReal product_error(const Math *math, MathReal a, MathReal b, MathReal product) {
    MathReal a_high = math_real(math, math_with(math, BITS_AND, math_bits(math, a), UPPER_HALF));
    MathReal b_high = math_real(math, math_with(math, BITS_AND, math_bits(math, b), UPPER_HALF));
    MathReal a_low = math_sub(math, a, a_high);
    MathReal b_low = math_sub(math, b, b_high);
    MathReal error = math_sub(math, math_mul(math, a_high, b_high), product);
    error = math_add(math, error, math_mul(math, a_high, b_low));
    error = math_add(math, error, math_mul(math, a_low, b_high));
    return math_add(math, error, math_mul(math, a_low, b_low));
}

MathPair math_exact_product(const Math *math, MathReal a, MathReal b) {
    MathReal product = math_mul(math, a, b);
    MathReal low = math->is_fused ? math_mul_add(math, a, b, math_negated(math, product))
                                  : product_error(math, a, b, product);
    return (MathPair){product, low};
}

MathPair math_pair_product(const Math *math, MathPair a, MathPair b) {
    MathPair product = math_exact_product(math, a.high, b.high);
    MathReal low = math_mul_add(math, a.high, b.low, product.low);
    product.low = math_mul_add(math, a.low, b.high, low);
    return product;
}
