// "Did you mean", as produced programs say it.
#ifndef TMLC_SUPPORT_SUGGEST_H
#define TMLC_SUPPORT_SUGGEST_H

#include "runtime/text/suggest.h"
#include "support/intern.h"

static inline Suggestion suggestion_for(const char *wrong, size_t len) {
    return tml_suggestion_for(wrong, len);
}

// For names of a program, which are short and many: one change in them, none in the shortest.
static inline Suggestion suggestion_for_word(const char *word, size_t len) {
    Suggestion suggestion = tml_suggestion_for(word, len);
    size_t close = len < 3 ? 0 : len < 6 ? 1 : suggestion.distance - 1;
    suggestion.distance = close + 1;
    return suggestion;
}

static inline Suggestion suggestion_for_name(Name name) {
    return suggestion_for_word(name->text, name->len);
}

static inline void suggestion_try(Suggestion *suggestion, const char *candidate) {
    tml_suggestion_try(suggestion, candidate);
}

#endif
