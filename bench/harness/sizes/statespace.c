/* Linear system in discrete time: x' = a x + b u, y = c x + d u. */
#include "bench/harness/sizes/component.h"

#include <string.h>

enum { STATES = 4, INPUTS = 2, OUTPUTS = 2 };

typedef struct statespace_params {
    uint8_t none;
} statespace_params;

typedef struct statespace_inputs {
    double u[INPUTS];
} statespace_inputs;

typedef struct statespace_outputs {
    double y[OUTPUTS];
} statespace_outputs;

typedef struct statespace_state {
    double x[STATES];
    tml_fault fault;
} statespace_state;

static const double a[STATES][STATES] = {{0.963797698, 0.024084057, 0.047576672, 0.001007774},
                                         {0.012194156, 0.987729628, 0.000503887, 0.049487598},
                                         {-1.417222423, 0.941455703, 0.892684633, 0.047620450},
                                         {0.479759373, -0.484798241, 0.023810225, 0.975609672}};
static const double b[STATES][INPUTS] = {{0.001211824, 0.000007622},
                                         {0.000007622, 0.000621140},
                                         {0.047576672, 0.000503887},
                                         {0.000503887, 0.024743799}};
static const double c[OUTPUTS][STATES] = {{0.0, 1.0, 0.0, 0.0}, {-30.0, 20.0, -1.5, 0.5}};
static const double d[OUTPUTS][INPUTS] = {{0.0, 0.0}, {1.0, 0.0}};

static double dot(const double *v, const double *w, int n) {
    double sum = 0.0;
    for (int k = 0; k < n; k++) {
        sum += v[k] * w[k];
    }
    return sum;
}

static void output(const statespace_state *s, const statespace_inputs *u, statespace_outputs *y) {
    for (int i = 0; i < OUTPUTS; i++) {
        y->y[i] = dot(c[i], s->x, STATES) + dot(d[i], u->u, INPUTS);
    }
}

static void update(statespace_state *s, const statespace_inputs *u) {
    double next[STATES];
    for (int i = 0; i < STATES; i++) {
        next[i] = dot(a[i], s->x, STATES) + dot(b[i], u->u, INPUTS);
    }
    memcpy(s->x, next, sizeof next);
}

tml_status statespace_init(statespace_state *s, const statespace_params *p) {
    if (!s || !p) {
        return TML_E_ARG;
    }
    *s = (statespace_state){0};
    return TML_OK;
}

tml_status statespace_output(statespace_state *s, const statespace_params *p,
                             const statespace_inputs *u, statespace_outputs *y) {
    if (!s || !p || !u || !y) {
        return TML_E_ARG;
    }
    output(s, u, y);
    return TML_OK;
}

tml_status statespace_update(statespace_state *s, const statespace_params *p,
                             const statespace_inputs *u, statespace_outputs *y) {
    if (!s || !p || !u || !y) {
        return TML_E_ARG;
    }
    update(s, u);
    return TML_OK;
}

tml_status statespace_step(statespace_state *s, const statespace_params *p,
                           const statespace_inputs *u, statespace_outputs *y) {
    if (!s || !p || !u || !y) {
        return TML_E_ARG;
    }
    output(s, u, y);
    update(s, u);
    return TML_OK;
}

tml_status statespace_step_n(statespace_state *s, const statespace_params *p, size_t n,
                             const statespace_inputs *u, statespace_outputs *y) {
    if (!s || !p || !u || !y) {
        return TML_E_ARG;
    }
    for (size_t k = 0; k < n; k++) {
        output(s, &u[k], &y[k]);
        update(s, &u[k]);
    }
    return TML_OK;
}
