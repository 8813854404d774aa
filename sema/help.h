// What the functions that every program has do, for people: built in, from builtin/functions.in, or
// of the library, from the comments above them.
#ifndef TMLC_SEMA_HELP_H
#define TMLC_SEMA_HELP_H

#include "support/arena.h"
#include "support/intern.h"
#include "support/suggest.h"

#include <stdbool.h>

// Paragraphs, with an empty line between two, the first of them behind how it is called where that
// is asked for; NULL when there is no such function.
const char *help_of_function(Arena *arena, const char *name, bool with_call);
// The function that NumPy or MATLAB know by this name: how it is called, and what it does; NULL
// when there is none.
const char *help_of_foreign(Arena *arena, Slice word);
// Tries the names of all.
void help_suggest(Suggestion *suggestion);

#endif
