// The files and other sources of inputs and outputs on the command line.
#ifndef TML_RUNTIME_RUN_BINDINGS_H
#define TML_RUNTIME_RUN_BINDINGS_H

#include "runtime/run/options.h"

// By TML_INPUT, TML_OUTPUT, for messages.
extern const char *const tml_direction_names[2];

static inline bool path_is_stream(const char *path) {
    return path[0] == '-' && path[1] == '\0';
}

// The functions below return false after saying what is wrong.

// Takes the value of an --in or --out.
bool tml_bindings_add(Options *options, tml_role role, const char *text);
// After all of them: every input has a file or a default, and something says how many steps there
// are.
bool tml_inputs_are_given(const Options *options);
// Whether that is so, by rows, --steps or --until.
bool tml_inputs_say_steps(const Options *options);

#endif
