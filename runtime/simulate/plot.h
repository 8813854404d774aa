// Signals of a run as a picture, drawn by gnuplot: those of --plot, or outputs and inputs.
#ifndef TML_RUNTIME_SIMULATE_PLOT_H
#define TML_RUNTIME_SIMULATE_PLOT_H

#include "runtime/run/options.h"
#include "runtime/simulate/columns.h"

typedef struct Plot Plot;

// NULL after saying that there is no gnuplot, no memory, or nothing to draw.
Plot *tml_plot_open(const Options *options);
void tml_plot_free(Plot *plot); // which may be NULL

// The columns that are plotted, which a watch may read.
Columns *tml_plot_columns(Plot *plot);
// The first step that is taken is this one instead of 0.
void tml_plot_start(Plot *plot, uint64_t step);
// Takes the next steps. What is kept is bounded: of long runs the extremes of equal stretches.
void tml_plot_add(Plot *plot, const Rows *rows, size_t count);
// Writes the picture. False after saying what failed.
bool tml_plot_draw(Plot *plot);

#endif
