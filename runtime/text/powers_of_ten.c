// The rows are made by powers_of_ten_print.c; tests/unit/runtime/test_powers.c computes them by
// long division.
#include "runtime/text/powers_of_ten.h"

const PowerOfTen tml_powers_of_ten[TML_POWER_MAX - TML_POWER_MIN + 1] = {
#include "powers_of_ten.inc"
};
