// Random well-formed programs, for comparing ways to run them.
#ifndef TMLC_TESTS_UNIT_TIR_RANDOM_TIR_H
#define TMLC_TESTS_UNIT_TIR_RANDOM_TIR_H

#include "tir/build.h"

// A script over int and real scalars, vectors and square matrices with every kind of expression
// and statement but input, output and assert, and with a called function. It prints its variables
// at the end. It may trap, and always ends. Dims are `length` long, at least 2. The same seed gives
// the same program; everything comes from the arena of `tir`.
TirProgram *random_tir_program(Tir *tir, uint64_t seed, uint32_t length);

#endif
