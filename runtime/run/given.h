// What stands behind `--in NAME=`: a file, a column of one, a wave, or a value.
#ifndef TML_RUNTIME_RUN_GIVEN_H
#define TML_RUNTIME_RUN_GIVEN_H

#include "runtime/run/options.h"

// Tells which it is by its spelling alone, and reads it; a file that has such a name gets a note.
// False after saying what is wrong.
bool tml_binding_read(Options *options, Binding *binding);
// Stores the time of a step if there is one: --dt, or the constant or property `dt` of the model.
// False after saying that they differ, or that what needs it has none. For when all options are
// known.
bool tml_options_settle_time(Options *options);

#endif
