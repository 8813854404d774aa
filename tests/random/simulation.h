// What a random program gets when it runs: arguments and standard input.
#ifndef TMLC_TESTS_RANDOM_SIMULATION_H
#define TMLC_TESTS_RANDOM_SIMULATION_H

#include "support/context.h"
#include "tir/tir.h"

enum { SIMULATION_ARGUMENTS = 32 };

typedef struct Simulation {
    int argument_count;
    char *arguments[SIMULATION_ARGUMENTS]; // argv, ends in NULL; from the context's arena
    Buffer input;                          // standard input; the caller frees it
} Simulation;

// A component is simulated over as many rows as the first line of its source says (`rows=5`). Its
// inputs and some of its tunable properties get values that depend on `values=` there, on their
// names and on nothing else, so they stay when other parts of the program go. A program reads what
// stands behind `#<` in its source.
void simulation_prepare(Simulation *simulation, const Context *context, const TirProgram *program,
                        const char *source);

#endif
