// The machines that FMUs have binaries for.
#ifndef TMLC_DRIVER_FMU_PLATFORM_H
#define TMLC_DRIVER_FMU_PLATFORM_H

#include "support/arena.h"

typedef struct FmuPlatform {
    const char *architecture; // as triples begin
    const char *folders[2];   // of FMI 2 and 3, in `binaries`
    const char *macro;        // of C compilers for it
    const char *variable;     // of the environment: its C compiler, where it is not this machine
    const char *compiler;     // which it is otherwise
} FmuPlatform;

typedef LIST_OF(const FmuPlatform *) FmuPlatforms;

// The row of a triple; NULL: there are no FMUs for it.
const FmuPlatform *fmu_platform(const char *triple);
// What a message lists.
const char *fmu_platform_names(void);

#endif
