// Programs with a mistake.
#ifndef TMLC_TESTS_RANDOM_BROKEN_H
#define TMLC_TESTS_RANDOM_BROKEN_H

#include "support/buffer.h"
#include "tests/random/random.h"

// Appends the program with one of its tokens gone, doubled, or swapped with the one behind it. It
// may still be valid, may trap and need not end.
void break_program(Random *random, const Buffer *source, Buffer *out);

#endif
