// Many runs of a model, with parameters of their own.
#ifndef TML_RUNTIME_ENSEMBLE_ENSEMBLE_H
#define TML_RUNTIME_ENSEMBLE_ENSEMBLE_H

#include "runtime/abi/exit_status.h"
#include "runtime/run/options.h"

// Returns the exit status, after saying what went wrong if anything did.
ExitStatus tml_ensemble(const Options *options);

#endif
