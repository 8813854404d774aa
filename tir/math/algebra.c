// Words that the functions share. Polynomials go in two halves, of even and of odd powers, which do
// not wait for each other.
#include "tir/math/algebra.h"

#define SIGN_BIT 0x8000000000000000u
// The upper 26 digits of a real: the product of two such has no more than 53.
#define UPPER_HALF 0xfffffffff8000000u

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
    return math_real(math, math_with(math, BITS_AND, math_bits(math, a), ~SIGN_BIT));
}

MathReal math_negated(const Math *math, MathReal a) {
    return math_real(math, math_with(math, BITS_XOR, math_bits(math, a), SIGN_BIT));
}

MathReal math_with_sign(const Math *math, MathReal a, MathReal sign) {
    MathBits bit = math_with(math, BITS_AND, math_bits(math, sign), SIGN_BIT);
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
