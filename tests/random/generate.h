// Random well-typed programs.
#ifndef TMLC_TESTS_RANDOM_GENERATE_H
#define TMLC_TESTS_RANDOM_GENERATE_H

#include "support/buffer.h"

#include <stdint.h>

typedef enum GenerateKind {
    GENERATE_PROGRAM, // or script
    GENERATE_COMPONENT,
    GENERATE_LOOPS, // a script of loops over elements, of which others have few
} GenerateKind;

// Appends the program of this seed. It is accepted by the checker, ends, and prints its variables;
// it may trap. Lines `#< value` at the end are its standard input.
//
// Its first line is a comment with the options that it is compiled with, `--fp=strict` or
// `--real=f32`, those of one more way to compile it (RUN_OTHER), and of a component which optional
// terminals are connected (`with=t.a,`) and how it is simulated (tests/random/simulation.h).
// Without strictness the output does not depend on how terms are grouped: only reals that are small
// whole numbers are added up by `sum`, `prod`, `mean`,
// `.*` and what is built on them, so every order gives the same bits. Functions that may come from
// a vector library are used on tensors only under a rounding that hides a few ulp (L5.6).
void generate_program(GenerateKind kind, uint64_t seed, Buffer *out);

#endif
