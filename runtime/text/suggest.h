// "Did you mean": the nearest of several spellings to one that nothing has. The compiler uses this
// too, through support/suggest.h.
#ifndef TML_RUNTIME_TEXT_SUGGEST_H
#define TML_RUNTIME_TEXT_SUGGEST_H

#include <stddef.h>

typedef struct Suggestion {
    const char *wrong;
    size_t len;
    const char *nearest; // NULL while none is close
    size_t distance;     // of `nearest`, or one above what counts as close
} Suggestion;

Suggestion tml_suggestion_for(const char *wrong, size_t len);
// Takes the candidate if it is nearer than those before; it is kept, not copied.
void tml_suggestion_try(Suggestion *suggestion, const char *candidate);

enum { TML_DISTANCE_LIMIT = 8 };

// How many letters to insert, remove or replace, or neighbours to exchange, to make one text the
// other, or `limit` + 1 when it is above `limit`, which is at most TML_DISTANCE_LIMIT.
size_t tml_text_distance(const char *a, size_t a_len, const char *b, size_t b_len, size_t limit);

#endif
