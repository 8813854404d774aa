// Powers of ten for reading and printing reals.
#ifndef TML_RUNTIME_TEXT_POWERS_OF_TEN_H
#define TML_RUNTIME_TEXT_POWERS_OF_TEN_H

#include <stdint.h>

enum { TML_POWER_MIN = -292, TML_POWER_MAX = 324 };

typedef struct PowerOfTen {
    uint64_t high, low;
} PowerOfTen;

// At [k - TML_POWER_MIN]: the least 128-bit integer that is not below 10^k * 2^s, with the s that
// sets its highest bit. Exact for 0 <= k <= 55.
extern const PowerOfTen tml_powers_of_ten[TML_POWER_MAX - TML_POWER_MIN + 1];

// floor(log2(10^k)) for |k| below 1233.
static inline int tml_log2_of_power(int k) {
    return (k * 1741647) >> 19;
}

#endif
