// A spelling is close when two changes make it right, of a short word one, and these leave
// something of what was written; closest is one in which only the case of letters is another.
// Distances are the Levenshtein matrix, with exchanged neighbours, a row at a time, and of each row
// only the band of cells within the limit of the diagonal: the others are beyond it in any case.
#include "runtime/text/suggest.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

enum { CLOSE = 2, SHORT = 4 }; // letters

Suggestion tml_suggestion_for(const char *wrong, size_t len) {
    return (Suggestion){.wrong = wrong, .len = len, .distance = CLOSE + 1};
}

void tml_suggestion_try(Suggestion *suggestion, const char *candidate) {
    size_t distance =
        tml_text_distance(suggestion->wrong, suggestion->len, candidate, strlen(candidate), CLOSE);
    bool same_letters = strncasecmp(suggestion->wrong, candidate, suggestion->len) == 0 &&
                        candidate[suggestion->len] == '\0';
    if (distance == 0) {
        return;
    }
    bool close = distance < suggestion->distance && distance < suggestion->len &&
                 (distance < CLOSE || suggestion->len > SHORT);
    if (close || (same_letters && suggestion->distance > 0)) {
        suggestion->distance = same_letters ? 0 : distance;
        suggestion->nearest = candidate;
    }
}

static size_t lesser(size_t a, size_t b) {
    return a < b ? a : b;
}

size_t tml_text_distance(const char *a, size_t a_len, const char *b, size_t b_len, size_t limit) {
    size_t beyond = limit + 1;
    if ((a_len > b_len ? a_len - b_len : b_len - a_len) > limit) {
        return beyond;
    }
    size_t band[2 * TML_DISTANCE_LIMIT + 3];  // [k]: of i letters of a and i + k - beyond of b
    size_t above[2 * TML_DISTANCE_LIMIT + 3]; // the same of one letter less of both
    for (size_t k = 0; k <= 2 * beyond; k++) {
        band[k] = k >= beyond ? k - beyond : beyond;
        above[k] = beyond;
    }
    for (size_t i = 1; i <= a_len; i++) {
        for (size_t k = 1; k < 2 * beyond; k++) {
            size_t j = i + k - beyond; // wraps below 0
            size_t exchanged = beyond;
            if (i > 1 && j > 1 && j <= b_len && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                exchanged = above[k] + 1;
            }
            above[k] = band[k];
            if (j > b_len) {
                band[k] = beyond;
                continue;
            }
            size_t changed = j > 0 ? band[k] + (a[i - 1] != b[j - 1]) : beyond;
            size_t moved = lesser(band[k - 1], band[k + 1]) + 1;
            band[k] = lesser(lesser(beyond, exchanged), lesser(changed, moved));
        }
    }
    return band[b_len + beyond - a_len];
}
