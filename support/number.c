#include "support/number.h"

bool number_is_power_of_two(uint64_t number) {
    return number != 0 && (number & (number - 1)) == 0;
}

// By Euclid's algorithm.
int64_t number_common_divisor(int64_t a, int64_t b) {
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}
