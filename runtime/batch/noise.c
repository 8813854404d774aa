// Only operations that IEEE 754 defines to the bit are used, + - * / and square roots, so that no C
// library makes a difference: the logarithm and the exponential are series of them.
#include "runtime/batch/noise.h"

#include <math.h>
#include <stddef.h>

enum { ROUNDS = 10 };

void tml_philox(uint32_t counter[4], const uint32_t key[2]) {
    uint32_t first = key[0], second = key[1];
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t low = (uint64_t)0xD2511F53U * counter[0];
        uint64_t high = (uint64_t)0xCD9E8D57U * counter[2];
        counter[0] = (uint32_t)(high >> 32) ^ counter[1] ^ first;
        counter[1] = (uint32_t)high;
        counter[2] = (uint32_t)(low >> 32) ^ counter[3] ^ second;
        counter[3] = (uint32_t)low;
        first += 0x9E3779B9U;
        second += 0xBB67AE85U;
    }
}

// x = 2^k * m with m near 1, and log m = 2 artanh((m - 1) / (m + 1)).
static double logarithm(double x) {
    int k;
    double m = frexp(x, &k);
    if (m < 0.70710678118654752) {
        m *= 2;
        k--;
    }
    double s = (m - 1) / (m + 1), square = s * s, sum = 0;
    for (int n = 23; n >= 1; n -= 2) { // |s| < 0.172: what is left out is below 2^-60
        sum = sum * square + 1.0 / n;
    }
    return k * 0.69314718055994531 + 2 * s * sum;
}

// A multiple of a quotient of two polynomials of degree 7, the coefficients from the highest on.
static double quotient(double scale, const double above[8], const double below[8], double x) {
    double numerator = 0, denominator = 0;
    for (size_t i = 0; i < 8; i++) {
        numerator = numerator * x + above[i];
        denominator = denominator * x + below[i];
    }
    return scale * numerator / denominator;
}

double tml_exponential(double x) {
    if (!(x > -746 && x < 710)) { // beyond are 0, inf and nan
        return x < 0 ? 0 : x > 0 ? (double)INFINITY : x;
    }
    // x = k log 2 + r with |r| < 0.35; k log2_high is exact.
    static const double log2_high = 0x1.62e42feep-1, log2_low = 0x1.a39ef35793c76p-33;
    double k = floor(x * 1.4426950408889634 + 0.5);
    double r = x - k * log2_high - k * log2_low, sum = 1;
    for (int n = 14; n >= 1; n--) { // what is left out is below 2^-60
        sum = 1 + r / n * sum;
    }
    return ldexp(sum, (int)k);
}

double tml_inverse_normal(double p) {
    static const double a[] = {2.5090809287301226727e+3, 3.3430575583588128105e+4,
                               6.7265770927008700853e+4, 4.5921953931549871457e+4,
                               1.3731693765509461125e+4, 1.9715909503065514427e+3,
                               1.3314166789178437745e+2, 3.3871328727963666080e+0};
    static const double b[] = {5.2264952788528545610e+3, 2.8729085735721942674e+4,
                               3.9307895800092710610e+4, 2.1213794301586595867e+4,
                               5.3941960214247511077e+3, 6.8718700749205790830e+2,
                               4.2313330701600911252e+1, 1.0};
    static const double c[] = {7.74545014278341407640e-4, 2.27238449892691845833e-2,
                               2.41780725177450611770e-1, 1.27045825245236838258e+0,
                               3.64784832476320460504e+0, 5.76949722146069140550e+0,
                               4.63033784615654529590e+0, 1.42343711074968357734e+0};
    static const double d[] = {1.05075007164441684324e-9, 5.47593808499534494600e-4,
                               1.51986665636164571966e-2, 1.48103976427480074590e-1,
                               6.89767334985100004550e-1, 1.67638483018380384940e+0,
                               2.05319162663775882187e+0, 1.0};
    static const double e[] = {2.01033439929228813265e-7, 2.71155556874348757815e-5,
                               1.24266094738807843860e-3, 2.65321895265761230930e-2,
                               2.96560571828504891230e-1, 1.78482653991729133580e+0,
                               5.46378491116411436990e+0, 6.65790464350110377720e+0};
    static const double f[] = {2.04426310338993978564e-15, 1.42151175831644588870e-7,
                               1.84631831751005468180e-5,  7.86869131145613259100e-4,
                               1.48753612908506148525e-2,  1.36929880922735805310e-1,
                               5.99832206555887937690e-1,  1.0};
    double q = p - 0.5;
    if (fabs(q) <= 0.425) {
        return quotient(q, a, b, 0.180625 - q * q);
    }
    double r = sqrt(-logarithm(q < 0 ? p : 1 - p));
    double x = r <= 5 ? quotient(1, c, d, r - 1.6) : quotient(1, e, f, r - 5);
    return q < 0 ? -x : x;
}

double tml_probability(uint64_t seed, uint64_t count, uint64_t stream) {
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    uint32_t block[4] = {(uint32_t)count, (uint32_t)(count >> 32), (uint32_t)stream,
                         (uint32_t)(stream >> 32)};
    tml_philox(block, key);
    uint64_t m = ((uint64_t)block[0] << 32 | block[1]) >> 12;
    return ((double)m + 0.5) * 0x1p-52;
}

double tml_normal(uint64_t seed, uint64_t count) {
    return tml_inverse_normal(tml_probability(seed, count, 0));
}
