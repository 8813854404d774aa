// The shortest decimal of a real.
#ifndef TML_RUNTIME_TEXT_SHORTEST_H
#define TML_RUNTIME_TEXT_SHORTEST_H

#include <stdint.h>

// digits * 10^exponent
typedef struct Decimal {
    uint64_t digits; // at most 17, the last one not 0
    int exponent;
} Decimal;

// The decimal with the fewest digits that reads back as `magnitude`, and of those the closest. It
// is positive and finite; with real_bytes 4 it is a float.
Decimal tml_shortest(double magnitude, unsigned real_bytes);

#endif
