// Curves drawn by gnuplot: with characters in the terminal, or in a picture.
#ifndef TMLC_DRIVER_REPL_CHART_H
#define TMLC_DRIVER_REPL_CHART_H

#include "support/arena.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct Curve {
    const char *title;
    const double *values; // every `stride`th one
    uint64_t count, stride;
} Curve;

// `path` is the picture, of suffix .svg or .png; NULL: the terminal, which is `columns` wide. False
// with *error, from the arena.
bool chart_draw(Arena *arena, const Curve *curves, uint32_t count, const char *path,
                unsigned columns, unsigned rows, const char **error);

#endif
