/* Cascade of second-order sections, each in the transposed direct form II. */
#include "bench/harness/sizes/component.h"

enum { SECTIONS = 3 };

typedef struct biquad_params {
    uint8_t none;
} biquad_params;

typedef struct biquad_inputs {
    double x;
} biquad_inputs;

typedef struct biquad_outputs {
    double y;
} biquad_outputs;

typedef struct biquad_state {
    double v[SECTIONS + 1];
    double z1[SECTIONS];
    double z2[SECTIONS];
    tml_fault fault;
} biquad_state;

/* b0, b1, b2, a0 = 1, a1, a2 of each section. */
static const double sos[SECTIONS][6] = {
    {8.5765570732594045e-06, 1.7153114146518809e-05, 8.5765570732594045e-06, 1.0,
     -1.4648681939512453, 5.4025356942786973e-01},
    {1.0, 2.0, 1.0, 1.0, -1.5610180758007182, 6.4135153805756306e-01},
    {1.0, 2.0, 1.0, 1.0, -1.7612492291001696, 8.5188703186759773e-01}};

static void output(biquad_state *s, const biquad_inputs *u, biquad_outputs *y) {
    s->v[0] = u->x;
    for (int k = 0; k < SECTIONS; k++) {
        s->v[k + 1] = sos[k][0] * s->v[k] + s->z1[k];
    }
    y->y = s->v[SECTIONS];
}

static void update(biquad_state *s) {
    for (int k = 0; k < SECTIONS; k++) {
        s->z1[k] = sos[k][1] * s->v[k] - sos[k][4] * s->v[k + 1] + s->z2[k];
        s->z2[k] = sos[k][2] * s->v[k] - sos[k][5] * s->v[k + 1];
    }
}

tml_status biquad_init(biquad_state *s, const biquad_params *p) {
    if (!s || !p) {
        return TML_E_ARG;
    }
    *s = (biquad_state){0};
    return TML_OK;
}

tml_status biquad_output(biquad_state *s, const biquad_params *p, const biquad_inputs *u,
                         biquad_outputs *y) {
    if (!s || !p || !u || !y) {
        return TML_E_ARG;
    }
    output(s, u, y);
    return TML_OK;
}

tml_status biquad_update(biquad_state *s, const biquad_params *p, const biquad_inputs *u,
                         biquad_outputs *y) {
    if (!s || !p || !u || !y) {
        return TML_E_ARG;
    }
    update(s);
    return TML_OK;
}

tml_status biquad_step(biquad_state *s, const biquad_params *p, const biquad_inputs *u,
                       biquad_outputs *y) {
    if (!s || !p || !u || !y) {
        return TML_E_ARG;
    }
    output(s, u, y);
    update(s);
    return TML_OK;
}

tml_status biquad_step_n(biquad_state *s, const biquad_params *p, size_t n, const biquad_inputs *u,
                         biquad_outputs *y) {
    if (!s || !p || !u || !y) {
        return TML_E_ARG;
    }
    for (size_t k = 0; k < n; k++) {
        output(s, &u[k], &y[k]);
        update(s);
    }
    return TML_OK;
}
