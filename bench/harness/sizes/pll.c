/* Phase-locked loop in the synchronous reference frame, for a three-phase voltage. */
#include "bench/harness/sizes/component.h"

#include <math.h>

#define DT 1.0e-4
#define NOMINAL 50.0
#define PEAK 325.0

typedef struct pll_params {
    double kp;
    double ki;
} pll_params;

typedef struct pll_inputs {
    double v[3];
} pll_inputs;

typedef struct pll_outputs {
    double angle;
    double frequency;
    double dq[2];
} pll_outputs;

typedef struct pll_state {
    double dq[2];
    double angle;
    double integral;
    double omega;
    tml_fault fault;
} pll_state;

static void park(const double v[3], double theta, double dq[2]) {
    double d = 0.0;
    double q = 0.0;
    for (int i = 0; i < 3; i++) {
        double phase = theta - 2.0 * M_PI / 3.0 * i;
        d += cos(phase) * v[i];
        q += -sin(phase) * v[i];
    }
    dq[0] = 2.0 / 3.0 * d;
    dq[1] = 2.0 / 3.0 * q;
}

static void output(pll_state *s, const pll_params *p, const pll_inputs *u, pll_outputs *y) {
    park(u->v, s->angle, s->dq);
    s->omega = 2.0 * M_PI * NOMINAL + p->kp / PEAK * s->dq[1] + s->integral;
    y->angle = s->angle;
    y->frequency = s->omega / (2.0 * M_PI);
    y->dq[0] = s->dq[0];
    y->dq[1] = s->dq[1];
}

static void update(pll_state *s, const pll_params *p) {
    s->integral += DT * p->ki / PEAK * s->dq[1];
    s->angle += DT * s->omega;
    if (s->angle > M_PI) {
        s->angle -= 2.0 * M_PI;
    }
}

tml_status pll_init(pll_state *s, const pll_params *p) {
    if (!s || !p) {
        return TML_E_ARG;
    }
    *s = (pll_state){0};
    return TML_OK;
}

tml_status pll_output(pll_state *s, const pll_params *p, const pll_inputs *u, pll_outputs *y) {
    if (!s || !p || !u || !y) {
        return TML_E_ARG;
    }
    output(s, p, u, y);
    return TML_OK;
}

tml_status pll_update(pll_state *s, const pll_params *p, const pll_inputs *u, pll_outputs *y) {
    if (!s || !p || !u || !y) {
        return TML_E_ARG;
    }
    update(s, p);
    return TML_OK;
}

tml_status pll_step(pll_state *s, const pll_params *p, const pll_inputs *u, pll_outputs *y) {
    if (!s || !p || !u || !y) {
        return TML_E_ARG;
    }
    output(s, p, u, y);
    update(s, p);
    return TML_OK;
}

tml_status pll_step_n(pll_state *s, const pll_params *p, size_t n, const pll_inputs *u,
                      pll_outputs *y) {
    if (!s || !p || !u || !y) {
        return TML_E_ARG;
    }
    for (size_t k = 0; k < n; k++) {
        output(s, p, &u[k], &y[k]);
        update(s, p);
    }
    return TML_OK;
}
