// A small random generator (splitmix64; Steele, Lea and Flood, OOPSLA 2014): the same seed gives
// the same numbers on every machine.
#ifndef TMLC_TESTS_RANDOM_RANDOM_H
#define TMLC_TESTS_RANDOM_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Random {
    uint64_t state;
} Random;

uint64_t random_next(Random *random);
// From 0 to limit - 1; limit is not 0.
unsigned random_below(Random *random, unsigned limit);
// True in so many cases of a hundred.
bool random_percent(Random *random, unsigned percent);

#endif
