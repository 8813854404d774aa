// The warnings that -W names (support/diag/warning.def), and which of them are shown: those that
// the options turn on, but for the lines that end in a comment `# tmlc: allow(name, ...)`.
#ifndef TMLC_DRIVER_WARNINGS_H
#define TMLC_DRIVER_WARNINGS_H

#include "driver/compile.h"
#include "support/context.h"

#include <stdbool.h>
#include <stddef.h>

// Stands for every warning, in -Wall and in allow(all).
#define WARNING_ALL "all"

// The warning called name[0..len); WARNING_COUNT when that is WARNING_ALL; below 0 when it is
// neither, with the closest name in *nearest, or NULL.
int warning_find(const char *name, size_t len, const char **nearest);

// Drops the warnings that are off or allowed where they point, warns of comments that allow what
// does not exist, and makes errors of what is left with -Werror.
void warnings_settle(Context *context, const CompileOptions *options);

#endif
