// What random and shared-out tests choose by, as tests/seeds.py has it.
#ifndef TMLC_TESTS_SEED_H
#define TMLC_TESTS_SEED_H

#include <stdbool.h>
#include <stdint.h>

// A whole number in any base that C has; false: the text is something else.
bool seed_read(const char *text, uint64_t *seed);
// TMLC_SEED or today's date in UTC, as 20261122.
bool seed_of_today(uint64_t *seed);

#endif
