// See suggest.h. A spelling is close when two changes make it right, and these leave something of
// what was written.
#include "support/suggest.h"

#include <string.h>

enum { DISTANCE_LIMIT = 2 };

Suggestion suggestion_for(const char *wrong, size_t len) {
    return (Suggestion){.wrong = {wrong, len}, .distance = DISTANCE_LIMIT + 1};
}

void suggestion_try(Suggestion *suggestion, const char *candidate) {
    Slice right = {candidate, strlen(candidate)};
    unsigned distance = text_distance(suggestion->wrong, right, DISTANCE_LIMIT);
    if (distance < suggestion->distance && distance < suggestion->wrong.len) {
        suggestion->distance = distance;
        suggestion->nearest = candidate;
    }
}
