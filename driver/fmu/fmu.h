// FMUs: a component as importers of the Functional Mock-up Interface take it, for co-simulation
// (docs/fmu.md).
#ifndef TMLC_DRIVER_FMU_FMU_H
#define TMLC_DRIVER_FMU_FMU_H

#include "driver/compile.h"
#include "driver/options.h"

#include <stdbool.h>

// Whether the file at `path`, if there is one, is an FMU of tmlc, which may be replaced unasked.
bool fmu_may_replace(const char *path);
// Makes an FMU for all targets of the options and writes it to `archive`, a file beside `path`,
// which is what it will be called. The compilation is that of the first target. On failure *error
// says why.
__attribute__((warn_unused_result)) ExitStatus fmu_make(Compilation *compilation,
                                                        const Options *options, const char *path,
                                                        const char *archive, const char **error);

#endif
