// --set NAME=VALUE.
#ifndef TML_RUNTIME_RUN_SET_H
#define TML_RUNTIME_RUN_SET_H

#include "runtime/run/options.h"

// Assigns a value, written as a TML literal, to a tunable property by L6. False after saying what
// is wrong on standard error.
bool tml_model_set(Options *options, const char *assignment);

#endif
