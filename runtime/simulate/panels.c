// Signals are whole variables here. Panels begin with the signal of the greatest magnitude that has
// none yet and take those that are close to it; what is left when there are no more panels joins
// the last one. The panels then stand in the order of their first signals.
#include "runtime/simulate/panels.h"

#include <stdlib.h>

static const double close_enough = 10.0;

enum { NUMBER_PANELS = 4 }; // besides that of bools

// The greatest magnitude of the variable's curves; they begin at `first`.
static double magnitude_of(const Curves *curves, size_t first) {
    double magnitude = 0, least, greatest;
    const tml_variable *variable = curves->columns.items[first].terminal;
    for (size_t i = first; i < curves->columns.count; i++) {
        if (curves->columns.items[i].terminal == variable &&
            tml_curves_range(curves, i, &least, &greatest)) {
            magnitude = fmax(magnitude, fmax(fabs(least), fabs(greatest)));
        }
    }
    return magnitude;
}

// Gives curves that have no panel yet, and are of the magnitude, this one.
static void take_close(const Curves *curves, const double *magnitudes, double greatest,
                       size_t panel, size_t *panel_of) {
    for (size_t i = 0; i < curves->columns.count; i++) {
        bool is_last = panel + 1 == NUMBER_PANELS;
        bool fits = is_last || magnitudes[i] == 0 || magnitudes[i] * close_enough > greatest;
        if (panel_of[i] == PANEL_LIMIT && !curve_is_bool(curves, i) && fits) {
            panel_of[i] = panel;
        }
    }
}

static void add_curve(Panel *panel, size_t curve) {
    panel->curves[panel->count++] = curve;
}

static Panels collect(const Curves *curves, const size_t *panel_of) {
    Panels panels = {0};
    size_t place[PANEL_LIMIT + 1];
    for (size_t i = 0; i <= PANEL_LIMIT; i++) {
        place[i] = PANEL_LIMIT;
    }
    for (size_t i = 0; i < curves->columns.count; i++) {
        if (panel_of[i] < PANEL_LIMIT && place[panel_of[i]] == PANEL_LIMIT) {
            place[panel_of[i]] = panels.count++;
        }
        if (panel_of[i] < PANEL_LIMIT) {
            add_curve(&panels.items[place[panel_of[i]]], i);
        }
    }
    Panel *bands = &panels.items[panels.count];
    for (size_t i = 0; i < curves->columns.count; i++) {
        if (curve_is_bool(curves, i)) {
            add_curve(bands, i);
        }
    }
    bands->is_bands = true;
    panels.count += bands->count > 0;
    return panels;
}

Panels tml_panels_by_magnitude(const Curves *curves) {
    double magnitudes[CURVE_LIMIT];
    size_t panel_of[CURVE_LIMIT];
    for (size_t i = 0; i < curves->columns.count; i++) {
        const Column *column = &curves->columns.items[i];
        bool is_first = i == 0 || column[-1].terminal != column->terminal;
        magnitudes[i] = is_first ? magnitude_of(curves, i) : magnitudes[i - 1];
        panel_of[i] = PANEL_LIMIT;
    }
    for (size_t panel = 0; panel < NUMBER_PANELS; panel++) {
        double greatest = -1;
        for (size_t i = 0; i < curves->columns.count; i++) {
            if (panel_of[i] == PANEL_LIMIT && !curve_is_bool(curves, i)) {
                greatest = fmax(greatest, magnitudes[i]);
            }
        }
        take_close(curves, magnitudes, greatest, panel, panel_of);
    }
    return collect(curves, panel_of);
}

Panels tml_panels_by_groups(const Curves *curves, const size_t *sizes, size_t count) {
    Panels panels = {.count = count};
    size_t curve = 0;
    for (size_t i = 0; i < count; i++) {
        Panel *panel = &panels.items[i];
        panel->is_bands = true;
        for (size_t k = 0; k < sizes[i]; k++, curve++) {
            panel->is_bands = panel->is_bands && curve_is_bool(curves, curve);
            add_curve(panel, curve);
        }
    }
    return panels;
}
