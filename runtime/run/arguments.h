// What the command lines of programs and of simulations share.
#ifndef TML_RUNTIME_RUN_ARGUMENTS_H
#define TML_RUNTIME_RUN_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

// `option` at argv[*at], with its value attached by `=` or in the next argument, to which *at
// moves. False when it is another option; *value is NULL when the value is missing.
bool tml_take_option(const char *option, int *at, int argc, char **argv, const char **value);

// How many letters to insert, remove or replace to make one name the other (Levenshtein). Very long
// names are far from everything.
size_t tml_name_distance(const char *a, size_t a_len, const char *b);
// Names at this distance or beyond are not what somebody meant by a name of `len` letters.
size_t tml_name_distance_limit(size_t len);

#endif
