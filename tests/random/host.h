// A host that is not kind: what it gives a model is neither zero nor where it was before.
#ifndef TMLC_TESTS_RANDOM_HOST_H
#define TMLC_TESTS_RANDOM_HOST_H

#include <stdbool.h>

// From now on tml_main, which the linker wraps, hands simulations a model whose functions
// call those of the real one in other ways: the state starts as garbage, moves between steps and
// ends where its struct does, outputs are garbage before each step, and a second instance runs in
// between. What goes wrong is written to standard error.
void host_be_unkind(bool unkind);

#endif
