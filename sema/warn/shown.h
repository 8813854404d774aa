// The warnings that -W names (support/diag/warning.def), and which of them are shown: those that
// the options turn on, but for the lines that end in a comment `# tmlc: allow(name, ...)`.
#ifndef TMLC_SEMA_WARN_SHOWN_H
#define TMLC_SEMA_WARN_SHOWN_H

#include "support/context.h"

#include <stdbool.h>
#include <stddef.h>

// What is asked for of one warning.
typedef struct WarningChoice {
    bool is_on;
    bool is_error;       // -Werror=name
    bool is_never_error; // -Wno-error=name
} WarningChoice;

typedef struct WarningChoices {
    WarningChoice of[WARNING_COUNT];
    bool are_off;    // -w: there are none at all
    bool are_errors; // -Werror
} WarningChoices;

// Stand for every warning in -Wno-all and allow(all), and for groups in -Wall, -Wextra and
// -Wno-extra.
#define WARNING_ALL "all"
#define WARNING_EXTRA "extra"
enum { WARNING_FOUND_ALL = WARNING_COUNT, WARNING_FOUND_EXTRA };

// The warning called name[0..len); WARNING_FOUND_ALL or WARNING_FOUND_EXTRA when that is their
// name; below 0 when it is none, with the closest name in *nearest, or NULL.
int warning_find(const char *name, size_t len, const char **nearest);

// What -Wname does, or -Wno-name; `found` is what warning_find gave.
void warnings_choose(WarningChoices *choices, int found, bool is_on);
// What -Werror=name does, which turns it on too, or -Wno-error=name.
void warnings_make_error(WarningChoices *choices, int found, bool is_error);

// Drops the warnings that are off or allowed where they point, warns of comments that allow what
// does not exist, and makes errors of what is left with -Werror.
void warnings_settle(Context *context, const WarningChoices *choices);

#endif
