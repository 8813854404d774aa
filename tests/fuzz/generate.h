// Random well-typed programs.
#ifndef TMLC_TESTS_FUZZ_GENERATE_H
#define TMLC_TESTS_FUZZ_GENERATE_H

#include "support/buffer.h"

#include <stdint.h>

// Appends the program of this seed. It is accepted by the checker, ends, and prints its variables;
// it may trap.
//
// Its first line is a comment with the options that it is compiled with, `--fp=strict` or
// `--real=f32`. Without strictness the output does not depend on how terms are grouped: only reals
// that are small whole numbers are added up by `sum`, `prod`, `mean`, `.*` and what is built on
// them, so every order gives the same bits. Functions that may come from a vector library are used
// on tensors only under a rounding that hides a few ulp (L5.6).
void generate_program(uint64_t seed, Buffer *out);

#endif
