// The warnings that -W names (driver/warnings.def), and which of them are shown: those that the
// options turn on, but for the lines that end in a comment `# tmlc: allow(name, ...)`.
#ifndef TMLC_DRIVER_WARNINGS_H
#define TMLC_DRIVER_WARNINGS_H

#include "driver/compile.h"
#include "support/context.h"

#include <stdbool.h>
#include <stddef.h>

// Stands for every warning, in -Wall and in allow(all).
#define WARNING_ALL "all"

size_t warning_count(void);
const char *warning_name(size_t warning);
const char *warning_help(size_t warning);
// Whether name[0..len) is that of a warning or WARNING_ALL. If not, *nearest is the closest one, or
// NULL.
bool warning_is_known(const char *name, size_t len, const char **nearest);

// Drops the warnings that are off or allowed where they point, warns of comments that allow what
// does not exist, and makes errors of what is left with -Werror.
void warnings_settle(Context *context, const CompileOptions *options);

#endif
