/* Lookup table with linear interpolation: a type K thermocouple. */
#include "bench/harness/sizes/component.h"

enum { POINTS = 16 };

typedef struct lookup_params {
    uint8_t none;
} lookup_params;

typedef struct lookup_inputs {
    double millivolts;
} lookup_inputs;

typedef struct lookup_outputs {
    double celsius;
} lookup_outputs;

typedef struct lookup_state {
    tml_fault fault;
} lookup_state;

static const double xs[POINTS] = {-5.891, -3.554, 0.000,  4.096,  8.138,  12.209, 16.397, 20.644,
                                  24.905, 29.129, 33.275, 37.326, 41.276, 45.119, 48.838, 52.410};
static const double ys[POINTS] = {-200.0, -100.0, 0.0,   100.0, 200.0,  300.0,  400.0,  500.0,
                                  600.0,  700.0,  800.0, 900.0, 1000.0, 1100.0, 1200.0, 1300.0};

/* Straight lines between the points; beyond them the ends hold. */
static double interpolate(double x) {
    if (x < xs[0]) {
        return ys[0];
    }
    if (x >= xs[POINTS - 1]) {
        return ys[POINTS - 1];
    }
    int low = 0;
    int high = POINTS - 1;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (x >= xs[middle]) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return ys[low] + (x - xs[low]) * ((ys[high] - ys[low]) / (xs[high] - xs[low]));
}

static void output(const lookup_inputs *u, lookup_outputs *y) {
    y->celsius = interpolate(u->millivolts);
}

tml_status lookup_init(lookup_state *s, const lookup_params *p) {
    if (!s || !p) {
        return TML_E_ARG;
    }
    *s = (lookup_state){0};
    return TML_OK;
}

tml_status lookup_output(lookup_state *s, const lookup_params *p, const lookup_inputs *u,
                         lookup_outputs *y) {
    if (!s || !p || !u || !y) {
        return TML_E_ARG;
    }
    output(u, y);
    return TML_OK;
}

tml_status lookup_update(lookup_state *s, const lookup_params *p, const lookup_inputs *u,
                         lookup_outputs *y) {
    if (!s || !p || !u || !y) {
        return TML_E_ARG;
    }
    return TML_OK;
}

tml_status lookup_step(lookup_state *s, const lookup_params *p, const lookup_inputs *u,
                       lookup_outputs *y) {
    if (!s || !p || !u || !y) {
        return TML_E_ARG;
    }
    output(u, y);
    return TML_OK;
}

tml_status lookup_step_n(lookup_state *s, const lookup_params *p, size_t n, const lookup_inputs *u,
                         lookup_outputs *y) {
    if (!s || !p || !u || !y) {
        return TML_E_ARG;
    }
    for (size_t k = 0; k < n; k++) {
        output(&u[k], &y[k]);
    }
    return TML_OK;
}
