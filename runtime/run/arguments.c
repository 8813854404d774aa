#include "runtime/run/arguments.h"

#include <string.h>

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
