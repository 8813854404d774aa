// One run of a program.
#ifndef TML_RUNTIME_RUN_PROGRAM_H
#define TML_RUNTIME_RUN_PROGRAM_H

#include "runtime/abi/exit_status.h"
#include "runtime/run/options.h"

// Returns the exit status, after saying what went wrong if anything did.
ExitStatus tml_program_run(const Options *options);

#endif
