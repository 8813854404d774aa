// Which curves share axes: as --plot says, or numbers of one magnitude, and bools by themselves.
#ifndef TML_RUNTIME_SIMULATE_PANELS_H
#define TML_RUNTIME_SIMULATE_PANELS_H

#include "runtime/simulate/curves.h"

enum { PANEL_LIMIT = 8, CURVE_LIMIT = 24 }; // of a picture

typedef struct Panel {
    size_t count;
    size_t curves[CURVE_LIMIT];
    bool is_bands; // bools alone: each has a band
} Panel;

typedef struct Panels {
    size_t count;
    Panel items[PANEL_LIMIT];
} Panels;

// Groups curves once all steps are known: in a panel the greatest magnitudes differ by less than a
// factor of 10, elements of one tensor stay together, and bools are the last panel.
Panels tml_panels_by_magnitude(const Curves *curves);
// The same as the sizes of groups of curves say.
Panels tml_panels_by_groups(const Curves *curves, const size_t *sizes, size_t count);

#endif
