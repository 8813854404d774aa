// The signals of a run by name: what changes from step to step, inputs, outputs and the state.
#ifndef TML_RUNTIME_SIMULATE_SIGNALS_H
#define TML_RUNTIME_SIMULATE_SIGNALS_H

#include "runtime/run/options.h"
#include "runtime/simulate/columns.h"

// Adds the columns of each name in "u, speed.*, m[0][1]": a variable as a whole or one element,
// with or without `t.`; `*` stands for any characters, `?` for one. Those that are there already
// stay as they are. False after saying which name is wrong, as `option` has it.
bool tml_signals_select(const Options *options, const char *option, const char *names, size_t len,
                        Columns *columns);

// Adds all of the model. False after saying that there is no memory.
bool tml_signals_all(const Options *options, Columns *columns);

#endif
