// "Did you mean", as produced programs say it.
#ifndef TMLC_SUPPORT_SUGGEST_H
#define TMLC_SUPPORT_SUGGEST_H

#include "runtime/text/suggest.h"

static inline Suggestion suggestion_for(const char *wrong, size_t len) {
    return tml_suggestion_for(wrong, len);
}

static inline void suggestion_try(Suggestion *suggestion, const char *candidate) {
    tml_suggestion_try(suggestion, candidate);
}

#endif
