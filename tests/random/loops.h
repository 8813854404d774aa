// Loops in random programs, and the arrays that they are about.
#ifndef TMLC_TESTS_RANDOM_LOOPS_H
#define TMLC_TESTS_RANDOM_LOOPS_H

#include "tests/random/generator.h"

// Over elements, with branches.
void fuzz_lanes(Fuzz *fuzz);
// Over elements at several indices.
void fuzz_elements(Fuzz *fuzz);
// Over pairs of rows of one matrix.
void fuzz_pairs(Fuzz *fuzz);
// Over elements and tables of where their neighbours lie.
void fuzz_neighbours(Fuzz *fuzz);
// Over elements, with what branches or statements before the loop change.
void fuzz_changed(Fuzz *fuzz);
// Over elements at indices that the statements change.
void fuzz_moved(Fuzz *fuzz);

#endif
