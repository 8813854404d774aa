// The table of powers of ten against long division by hand.
#include "runtime/text/powers_of_ten.h"

#include <criterion/criterion.h>
#include <stdbool.h>
#include <string.h>

// A natural number in 32-bit digits, lowest first.
enum { LIMBS = 40 };

typedef struct Natural {
    uint32_t limbs[LIMBS];
} Natural;

static void multiply_by_ten(Natural *n) {
    uint64_t carry = 0;
    for (size_t i = 0; i < LIMBS; i++) {
        carry += (uint64_t)n->limbs[i] * 10;
        n->limbs[i] = (uint32_t)carry;
        carry >>= 32;
    }
    cr_assert_eq(carry, 0);
}

static bool bit(const Natural *n, int index) {
    return index >= 0 && (n->limbs[index / 32] >> index % 32 & 1) != 0;
}

static int highest_bit(const Natural *n) {
    int index = LIMBS * 32 - 1;
    while (!bit(n, index)) {
        index--;
    }
    return index;
}

static int compare(const Natural *a, const Natural *b) {
    for (size_t i = LIMBS; i-- > 0;) {
        if (a->limbs[i] != b->limbs[i]) {
            return a->limbs[i] < b->limbs[i] ? -1 : 1;
        }
    }
    return 0;
}

static void subtract(Natural *a, const Natural *b) {
    int64_t borrow = 0;
    for (size_t i = 0; i < LIMBS; i++) {
        borrow += (int64_t)a->limbs[i] - b->limbs[i];
        a->limbs[i] = (uint32_t)borrow;
        borrow >>= 32;
    }
}

static void double_it(Natural *n) {
    for (size_t i = LIMBS; i-- > 0;) {
        n->limbs[i] = n->limbs[i] << 1 | (i > 0 ? n->limbs[i - 1] >> 31 : 0);
    }
}

static Natural power_of_ten(int k) {
    Natural n = {{1}};
    for (int i = 0; i < k; i++) {
        multiply_by_ten(&n);
    }
    return n;
}

typedef unsigned __int128 Wide;

static Wide table_entry(int k) {
    PowerOfTen entry = tml_powers_of_ten[k - TML_POWER_MIN];
    return (Wide)entry.high << 64 | entry.low;
}

// The highest 128 bits of 10^k, plus one if any other bit is set.
Test(powers, positive) {
    for (int k = 0; k <= TML_POWER_MAX; k++) {
        Natural n = power_of_ten(k);
        int highest = highest_bit(&n);
        cr_expect_eq(highest, tml_log2_of_power(k));
        Wide expected = 0;
        for (int i = 0; i < 128; i++) {
            expected = expected << 1 | bit(&n, highest - i);
        }
        bool more = false;
        for (int i = highest - 128; i >= 0; i--) {
            more |= bit(&n, i);
        }
        cr_expect(expected + more == table_entry(k), "10^%d", k);
    }
}

// 128 bits of the quotient 2^n / 10^-k by long division; the remainder is never 0.
Test(powers, negative) {
    for (int k = TML_POWER_MIN; k < 0; k++) {
        Natural divisor = power_of_ten(-k);
        Natural rest = {{1}};
        int exponent = 0;
        while (compare(&rest, &divisor) < 0) {
            double_it(&rest);
            exponent--;
        }
        cr_expect_eq(exponent, tml_log2_of_power(k));
        Wide quotient = 0;
        for (int i = 0; i < 128; i++) {
            bool one = compare(&rest, &divisor) >= 0;
            quotient = quotient << 1 | one;
            if (one) {
                subtract(&rest, &divisor);
            }
            double_it(&rest);
        }
        cr_expect(quotient + 1 == table_entry(k), "10^%d", k);
    }
}
