// Rows and matrices of numbers and names as other languages have them: `[1 2 3]`, `[0. 1.]`.
#ifndef TMLC_LEXER_ROW_H
#define TMLC_LEXER_ROW_H

#include "support/arena.h"

#include <stdint.h>

// A longer one is not repeated in a message.
enum { ROW_SHOWN = 60 };

typedef struct MeantRow {
    const char *text; // NULL: there is nothing to change, or more than numbers and names in it
    uint32_t len;     // of what was written, with its brackets
    unsigned changes;
} MeantRow;

// The row that begins with the `[` at `text`, with its commas and the digits at its points.
MeantRow row_meant(Arena *arena, const char *text);

#endif
