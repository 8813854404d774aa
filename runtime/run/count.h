// Numbers of things on the command line.
#ifndef TML_RUNTIME_RUN_COUNT_H
#define TML_RUNTIME_RUN_COUNT_H

#include <stdbool.h>
#include <stdint.h>

// Reads an option's number of `what`, `least` at least and below 2^63. False after saying what is
// wrong.
bool tml_count_read(const char *command, const char *option, const char *what, const char *text,
                    uint64_t least, uint64_t *count);

#endif
