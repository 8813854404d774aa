// `t.theta mod 2*M_PI`, where `%` in place of the word would take the remainder by 2 alone. What is
// written as one product behind it gets parentheses; of other text, `%` goes from left to right as
// `mod` does elsewhere.
#include "parser/mistakes/mistakes.h"

#include <string.h>

// The product or quotient that the text begins with, if it is written as one: without blanks, or
// `2 * M_PI`. Else empty.
static Slice product_at(Slice text) {
    static const char *const turns[] = {"2 * M_PI", "2.0 * M_PI"};
    size_t first = operand_end(text, 0);
    size_t end = first;
    while (end > 0 && end + 1 < text.len && strchr("*/", text.data[end]) != NULL &&
           operand_end(text, end + 1) > end + 1) {
        end = operand_end(text, end + 1);
    }
    for (size_t k = 0; k < sizeof turns / sizeof turns[0]; k++) {
        size_t len = strlen(turns[k]);
        bool begins = len <= text.len && memcmp(text.data, turns[k], len) == 0;
        end = begins && operand_end(text, len) == len ? len : end;
    }
    return (Slice){text.data, end > first ? end : 0};
}

bool report_remainder(Parser *parser, Span word, const char *tml) {
    Slice behind = line_behind(parser, word.end);
    size_t blanks = strspn(behind.data, " ");
    if (strcmp(tml, "%") != 0 || blanks >= behind.len) {
        return false;
    }
    Slice by = product_at((Slice){behind.data + blanks, behind.len - blanks});
    if (by.len == 0) {
        return false;
    }
    Slice first = operand_before(parser, word.start);
    Slice text = text_of(parser, word);
    Diag *diag = syntax_error(parser, word, "`%.*s` is not TML", (int)text.len, text.data);
    diag_help(diag, "write `%.*s %% (%.*s)`", (int)first.len, first.data, (int)by.len, by.data);
    diag_edit(diag, (Span){word.start, word.end + (uint32_t)(blanks + by.len)}, "%% (%.*s)",
              (int)by.len, by.data);
    return true;
}
