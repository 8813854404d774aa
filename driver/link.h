// From an object file to an executable, with the system's C compiler as linker.
#ifndef TMLC_DRIVER_LINK_H
#define TMLC_DRIVER_LINK_H

#include "support/arena.h"

#include <stdbool.h>

// Links the program in `object` with the runtime into `output`. Runs `cc`, or TMLC_CC (split at
// spaces); its messages go to standard error. `verbose` prints the command first. On failure
// returns false and *error says why (from the arena or static).
__attribute__((warn_unused_result)) bool link_program(Arena *arena, const char *object,
                                                      const char *output, bool verbose,
                                                      const char **error);

#endif
