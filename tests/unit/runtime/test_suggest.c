#include "runtime/text/suggest.h"

#include <criterion/criterion.h>
#include <string.h>

// The textbook recursion, on which the banded computation is checked.
static unsigned plain_distance(const char *a, const char *b) {
    if (*a == '\0' || *b == '\0') {
        return (unsigned)(strlen(a) + strlen(b));
    }
    if (*a == *b) {
        return plain_distance(a + 1, b + 1);
    }
    unsigned drop = plain_distance(a + 1, b);
    unsigned insert = plain_distance(a, b + 1);
    unsigned change = plain_distance(a + 1, b + 1);
    unsigned least = drop < insert ? drop : insert;
    if (a[0] == b[1] && a[1] == b[0]) {
        unsigned exchange = plain_distance(a + 2, b + 2);
        least = exchange < least ? exchange : least;
    }
    return 1 + (change < least ? change : least);
}

Test(text_distance, agrees_with_the_textbook_up_to_the_limit) {
    static const char *const words[] = {"",    "a",       "b",    "ab",      "ba",      "kitten",
                                        "sum", "sitting", "prod", "product", "reshpae", "reshape",
                                        "bca", "gian",    "gain", "stitign"};
    enum { WORDS = sizeof(words) / sizeof(words[0]) };
    for (size_t i = 0; i < WORDS; i++) {
        for (size_t k = 0; k < WORDS; k++) {
            unsigned exact = plain_distance(words[i], words[k]);
            for (unsigned limit = 0; limit < 9; limit++) {
                size_t expected = exact <= limit ? exact : limit + 1;
                size_t got = tml_text_distance(words[i], strlen(words[i]), words[k],
                                               strlen(words[k]), limit);
                cr_assert_eq(got, expected, "%s %s within %u: %zu", words[i], words[k], limit, got);
            }
        }
    }
}

static const char *nearest(const char *wrong, const char *candidate) {
    Suggestion suggestion = tml_suggestion_for(wrong, strlen(wrong));
    tml_suggestion_try(&suggestion, candidate);
    return suggestion.nearest;
}

Test(suggestion, other_case_is_close_however_short_or_long) {
    cr_expect_str_eq(nearest("R", "r"), "r");
    cr_expect_str_eq(nearest("KP", "kp"), "kp");
    cr_expect_str_eq(nearest("VELOCITY", "velocity"), "velocity");
    cr_expect_null(nearest("R", "s"));
    cr_expect_null(nearest("r", "r"));
    cr_expect_null(nearest("R", "rs"));
    cr_expect_null(nearest("VELOCITY", "velocities"));
}
