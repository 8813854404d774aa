// One run of a model: its files, memory, steps, and how it ended.
#ifndef TML_RUNTIME_SIMULATE_SIMULATE_H
#define TML_RUNTIME_SIMULATE_SIMULATE_H

#include "runtime/abi/exit_status.h"
#include "runtime/run/options.h"

// Returns the exit status, after saying what went wrong if anything did.
ExitStatus tml_simulate(const Options *options);

#endif
