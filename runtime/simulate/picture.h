// A picture of curves in panels, in the words of gnuplot.
#ifndef TML_RUNTIME_SIMULATE_PICTURE_H
#define TML_RUNTIME_SIMULATE_PICTURE_H

#include "runtime/simulate/panels.h"

#include <stdio.h>

typedef struct Picture {
    const tml_model *model;
    const Curves *curves;
    Panels panels;
    double dt;        // seconds of a step; 0: the axis counts steps
    bool is_png;      // else SVG
    const char *file; // that gnuplot writes
} Picture;

void tml_picture_write(const Picture *picture, FILE *script);

#endif
