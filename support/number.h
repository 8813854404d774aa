// Whole numbers.
#ifndef TMLC_SUPPORT_NUMBER_H
#define TMLC_SUPPORT_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

bool number_is_power_of_two(uint64_t number);
// The greatest common divisor of two numbers from 0 on; that of 0 and another one is the other.
int64_t number_common_divisor(int64_t a, int64_t b);

#endif
