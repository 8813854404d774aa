// What the command lines of programs and of simulations share.
#ifndef TML_RUNTIME_RUN_ARGUMENTS_H
#define TML_RUNTIME_RUN_ARGUMENTS_H

#include <stdbool.h>

// `option` at argv[*at], with its value attached by `=` or in the next argument, to which *at
// moves. False when it is another option; *value is NULL when the value is missing.
bool tml_take_option(const char *option, int *at, int argc, char **argv, const char **value);

#endif
