// What a module that was made to run its tests tells about them (docs/language.md, L19): one table
// beside that of the model, which has its files, texts and sizes.
#ifndef TML_RUNTIME_ABI_TESTS_H
#define TML_RUNTIME_ABI_TESTS_H

#ifndef TML_MODEL_H /* where this text follows that one */
#include "runtime/abi/model.h"
#endif

// All four are the structs of a component; other programs have the state alone.
typedef tml_status tml_test_function(void *state, void *params, void *inputs, void *outputs);

typedef struct tml_tests {
    const tml_model *model;
    size_t host_offset;       // of the tml_host pointer in the state
    tml_test_function *start; // gives all variables their first values
    uint32_t count;
    tml_test_function *const *functions; // NULL in it: decided when it was compiled
} tml_tests;

// Runs one test on a state of its own, and says on standard error how it trapped. TML_OK, the trap,
// below zero where it came before the test began, or TML_E_IO after saying what failed.
tml_status tml_test_run(const tml_tests *tests, uint32_t number, const char *command);

#endif
