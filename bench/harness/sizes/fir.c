/* Bank of FIR filters that share one delay line. */
#include "bench/harness/sizes/component.h"

#include <string.h>

enum { FILTERS = 3, TAPS = 15 };

typedef struct fir_params {
    uint8_t none;
} fir_params;

typedef struct fir_inputs {
    double x;
} fir_inputs;

typedef struct fir_outputs {
    double y[FILTERS];
} fir_outputs;

typedef struct fir_state {
    double past[TAPS - 1];
    tml_fault fault;
} fir_state;

static const double h[FILTERS][TAPS] = {
    {-0.003592, -0.004064, 0.000000, 0.021251, 0.067292, 0.129920, 0.185382, 0.207624, 0.185382,
     0.129920, 0.067292, 0.021251, 0.000000, -0.004064, -0.003592},
    {-0.000206, 0.004519, 0.018605, -0.023628, -0.153491, -0.144456, 0.144554, 0.346280, 0.144554,
     -0.144456, -0.153491, -0.023628, 0.018605, 0.004519, -0.000206},
    {0.003651, 0.000000, -0.016179, 0.000000, 0.068412, 0.000000, -0.304948, 0.501873, -0.304948,
     0.000000, 0.068412, 0.000000, -0.016179, 0.000000, 0.003651}};

static void output(const fir_state *s, const fir_inputs *u, fir_outputs *y) {
    for (int i = 0; i < FILTERS; i++) {
        double sum = 0.0;
        for (int k = 1; k < TAPS; k++) {
            sum += h[i][k] * s->past[k - 1];
        }
        y->y[i] = h[i][0] * u->x + sum;
    }
}

static void update(fir_state *s, const fir_inputs *u) {
    memmove(&s->past[1], &s->past[0], (TAPS - 2) * sizeof(double));
    s->past[0] = u->x;
}

tml_status fir_init(fir_state *s, const fir_params *p) {
    if (!s || !p) {
        return TML_E_ARG;
    }
    *s = (fir_state){0};
    return TML_OK;
}

tml_status fir_output(fir_state *s, const fir_params *p, const fir_inputs *u, fir_outputs *y) {
    if (!s || !p || !u || !y) {
        return TML_E_ARG;
    }
    output(s, u, y);
    return TML_OK;
}

tml_status fir_update(fir_state *s, const fir_params *p, const fir_inputs *u, fir_outputs *y) {
    if (!s || !p || !u || !y) {
        return TML_E_ARG;
    }
    update(s, u);
    return TML_OK;
}

tml_status fir_step(fir_state *s, const fir_params *p, const fir_inputs *u, fir_outputs *y) {
    if (!s || !p || !u || !y) {
        return TML_E_ARG;
    }
    output(s, u, y);
    update(s, u);
    return TML_OK;
}

tml_status fir_step_n(fir_state *s, const fir_params *p, size_t n, const fir_inputs *u,
                      fir_outputs *y) {
    if (!s || !p || !u || !y) {
        return TML_E_ARG;
    }
    for (size_t k = 0; k < n; k++) {
        output(s, &u[k], &y[k]);
        update(s, &u[k]);
    }
    return TML_OK;
}
