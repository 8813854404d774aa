// "Did you mean": the nearest of several spellings to one that nothing has.
#ifndef TMLC_SUPPORT_SUGGEST_H
#define TMLC_SUPPORT_SUGGEST_H

#include "support/intern.h"

typedef struct Suggestion {
    Slice wrong;
    const char *nearest; // NULL while none is close
    unsigned distance;   // of `nearest`, or one above what counts as close
} Suggestion;

Suggestion suggestion_for(const char *wrong, size_t len);
// Takes the candidate if it is nearer than those before; it is kept, not copied.
void suggestion_try(Suggestion *suggestion, const char *candidate);

#endif
