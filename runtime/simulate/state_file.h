// The state of a model in a file, with which another run goes on.
#ifndef TML_RUNTIME_SIMULATE_STATE_FILE_H
#define TML_RUNTIME_SIMULATE_STATE_FILE_H

#include "runtime/run/options.h"

// --save-state: writes the state after `steps` steps of the model, whole or not at all. False after
// saying what failed.
bool tml_state_save(const Options *options, const void *state, uint64_t steps);
// --from-state: reads what tml_state_save has written, of this model and with these variables, and
// stores how many steps made it. False after saying what is wrong with the file.
bool tml_state_load(const Options *options, void *state, uint64_t *steps);

#endif
