// See count.h.
#include "runtime/run/count.h"

#include "runtime/run/report.h"

#include <ctype.h>

// A decimal number, which may have `_` between its digits as in TML.
bool tml_count_read(const char *command, const char *option, const char *what, const char *text,
                    uint64_t least, uint64_t *count) {
    uint64_t n = 0;
    bool is_number = isdigit((unsigned char)text[0]), fits = true;
    for (const char *c = text; *c != '\0' && is_number; c++) {
        if (*c == '_') {
            is_number = isdigit((unsigned char)c[1]);
            continue;
        }
        uint64_t digit = (uint64_t)(*c - '0');
        is_number = isdigit((unsigned char)*c);
        fits = fits && n <= (INT64_MAX - digit) / 10;
        n = n * 10 + digit;
    }
    if (!is_number || !fits || n < least) {
        tml_report(command, "`%s` needs a number of %s%s%s, found `%s`", option, what,
                   least > 0 ? " from 1" : "",
                   is_number && !fits ? " up to 9223372036854775807" : "", text);
        return false;
    }
    *count = n;
    return true;
}
