#include "runtime/run/arguments.h"

#include <stdint.h>
#include <string.h>

static size_t smallest(size_t a, size_t b, size_t c) {
    size_t least = a < b ? a : b;
    return least < c ? least : c;
}

enum { NAME_LIMIT = 64 };

size_t tml_name_distance(const char *a, size_t a_len, const char *b) {
    size_t b_len = strlen(b);
    if (a_len > NAME_LIMIT || b_len > NAME_LIMIT) {
        return SIZE_MAX;
    }
    size_t row[NAME_LIMIT + 1];
    for (size_t j = 0; j <= b_len; j++) {
        row[j] = j;
    }
    for (size_t i = 1; i <= a_len; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b_len; j++) {
            size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = smallest(row[j] + 1, row[j - 1] + 1, replaced);
        }
    }
    return row[b_len];
}

size_t tml_name_distance_limit(size_t len) {
    return len / 3 + 2;
}

// The text after "--in="; NULL when `argument` is another option.
static const char *attached_value(const char *argument, const char *option) {
    size_t len = strlen(option);
    return strncmp(argument, option, len) == 0 && argument[len] == '=' ? argument + len + 1 : NULL;
}

bool tml_take_option(const char *option, int *at, int argc, char **argv, const char **value) {
    *value = attached_value(argv[*at], option);
    if (*value) {
        return true;
    }
    if (strcmp(argv[*at], option) != 0) {
        return false;
    }
    if (*at + 1 < argc) {
        *value = argv[++*at];
    }
    return true;
}
