// Schubfach: Raffaello Giulietti, "The Schubfach way to render doubles", 2020.
//
// A double v = c * 2^q owns the decimals between the midpoints to its neighbours. With the k for
// which 10^k is at most as wide as that interval, and 10^(k+1) wider, at least one multiple of 10^k
// and at most one of 10^(k+1) lies in it; if one of 10^(k+1) does, it is the shortest, else the
// multiple of 10^k closest to v is. Numbers are scaled by 10^-k and by 4, so that midpoints are
// integers times a power of two, and rounded to odd: the last bit then tells whether anything was
// lost, which keeps all comparisons with integers exact.
#include "runtime/text/shortest.h"

#include "runtime/text/powers_of_ten.h"

#include <stdbool.h>
#include <string.h>

// v = significand * 2^exponent
typedef struct Binary {
    uint64_t significand;
    int exponent;
    bool is_power; // of two, with a neighbour below that is half as far as the one above
} Binary;

// The parts of an IEEE number that is positive and finite.
static Binary split(uint64_t bits, int fraction_bits, int bias) {
    uint64_t one = (uint64_t)1 << fraction_bits;
    uint64_t fraction = bits & (one - 1);
    int exponent = (int)(bits >> fraction_bits);
    if (exponent == 0) {
        return (Binary){fraction, 1 - bias, false};
    }
    return (Binary){fraction | one, exponent - bias, fraction == 0 && exponent > 1};
}

// The 64 bits of power * n above its lowest 128, rounded to odd.
static uint64_t multiply_to_odd(PowerOfTen power, uint64_t n) {
    unsigned __int128 low = (unsigned __int128)power.low * n;
    unsigned __int128 high = (unsigned __int128)power.high * n + (uint64_t)(low >> 64);
    return (uint64_t)(high >> 64) | ((uint64_t)high > 1);
}

static Decimal without_zeros(uint64_t digits, int exponent) {
    while (digits % 100 == 0) {
        digits /= 100;
        exponent += 2;
    }
    if (digits % 10 == 0) {
        digits /= 10;
        exponent++;
    }
    return (Decimal){digits, exponent};
}

Decimal tml_shortest(double magnitude, unsigned real_bytes) {
    float single = (float)magnitude;
    uint64_t double_bits;
    uint32_t single_bits;
    memcpy(&double_bits, &magnitude, sizeof magnitude);
    memcpy(&single_bits, &single, sizeof single);
    Binary v = real_bytes == 4 ? split(single_bits, 23, 150) : split(double_bits, 52, 1075);
    uint64_t c = v.significand;
    int q = v.exponent;
    if (q <= 0 && q > -53 && (c & (((uint64_t)1 << -q) - 1)) == 0) {
        return without_zeros(c >> -q, 0); // an integer below 2^53 is its own shortest decimal
    }
    // floor(log10(2^q)), or of 3/4 of it; exact for all q in question.
    int k = (q * 1262611 - (v.is_power ? 524031 : 0)) >> 22;
    int shift = q + tml_log2_of_power(-k) + 1;
    PowerOfTen power = tml_powers_of_ten[-k - TML_POWER_MIN];
    uint64_t middle = multiply_to_odd(power, (4 * c) << shift);
    uint64_t lower = multiply_to_odd(power, (4 * c - 2 + v.is_power) << shift);
    uint64_t upper = multiply_to_odd(power, (4 * c + 2) << shift);
    uint64_t open = c & 1; // ties go to even, so an odd c does not own its midpoints
    lower += open;
    upper -= open;

    uint64_t s = middle / 4;
    uint64_t tens = s / 10;
    bool tens_below = lower <= 40 * tens;
    bool tens_above = 40 * tens + 40 <= upper;
    if (s >= 10 && tens_below != tens_above) {
        return without_zeros(tens + tens_above, k + 1);
    }
    bool below = lower <= 4 * s;
    bool above = 4 * s + 4 <= upper;
    bool round_up = above;
    if (below == above) {
        uint64_t half = 4 * s + 2;
        round_up = middle > half || (middle == half && (s & 1) != 0);
    }
    return without_zeros(s + round_up, k);
}
