// From an object file to an executable or a shared library, with the system's C compiler as linker.
#ifndef TMLC_DRIVER_LINK_H
#define TMLC_DRIVER_LINK_H

#include "support/arena.h"

#include <stdbool.h>

typedef struct LinkOptions {
    bool verbose;      // print the command first
    bool is_shared;    // a shared library, without the runtime
    const char *also;  // another object file, or NULL
    const char *model; // of an executable that simulates a component: what its names begin with
} LinkOptions;

// Links the program in `object` with the runtime into `output`. Runs `cc`, or TMLC_CC (split at
// spaces); its messages go to standard error. On failure returns false and *error says why (from
// the arena or static).
__attribute__((warn_unused_result)) bool link_object(Arena *arena, const char *object,
                                                     const char *output, const LinkOptions *options,
                                                     const char **error);

#endif
