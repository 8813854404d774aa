/* Takes the hum of the mains and its harmonics out: an array of second-order sections. */
#include "bench/harness/sizes/component.h"

#include <math.h>

#define DT 1.0e-3
#define MAINS 50.0
#define WIDTH 4.0

enum { COUNT = 3 };

/* A notch in the transposed direct form II. */
typedef struct section {
    struct {
        double x;
    } inputs;
    struct {
        double y;
    } outputs;
    struct {
        double g;
        double c;
        double z1;
        double z2;
    } state;
} section;

typedef struct biquads_params {
    uint8_t none;
} biquads_params;

typedef struct biquads_inputs {
    double x;
} biquads_inputs;

typedef struct biquads_outputs {
    double y;
    double along[COUNT];
} biquads_outputs;

typedef struct biquads_state {
    section section[COUNT];
    tml_fault fault;
} biquads_state;

static void section_init(section *s, double frequency, double width) {
    s->state.g = 1.0 / (1.0 + tan(M_PI * width * DT));
    s->state.c = cos(2.0 * M_PI * frequency * DT);
}

static void section_output(section *s) {
    s->outputs.y = s->state.g * s->inputs.x + s->state.z1;
}

static void section_update(section *s) {
    double g = s->state.g;
    double x = s->inputs.x;
    double y = s->outputs.y;
    s->state.z1 = 2.0 * g * s->state.c * (y - x) + s->state.z2;
    s->state.z2 = g * x - (2.0 * g - 1.0) * y;
}

static void output(biquads_state *s, const biquads_inputs *u, biquads_outputs *y) {
    double x = u->x;
    for (int i = 0; i < COUNT; i++) {
        s->section[i].inputs.x = x;
        section_output(&s->section[i]);
        x = s->section[i].outputs.y;
        y->along[i] = x;
    }
    y->y = x;
}

static void update(biquads_state *s) {
    for (int i = 0; i < COUNT; i++) {
        section_update(&s->section[i]);
    }
}

tml_status biquads_init(biquads_state *s, const biquads_params *p) {
    if (!s || !p) {
        return TML_E_ARG;
    }
    *s = (biquads_state){0};
    for (int i = 0; i < COUNT; i++) {
        section_init(&s->section[i], MAINS * (1.0 + i), WIDTH * (1.0 + i));
    }
    return TML_OK;
}

tml_status biquads_output(biquads_state *s, const biquads_params *p, const biquads_inputs *u,
                          biquads_outputs *y) {
    if (!s || !p || !u || !y) {
        return TML_E_ARG;
    }
    output(s, u, y);
    return TML_OK;
}

tml_status biquads_update(biquads_state *s, const biquads_params *p, const biquads_inputs *u,
                          biquads_outputs *y) {
    if (!s || !p || !u || !y) {
        return TML_E_ARG;
    }
    update(s);
    return TML_OK;
}

tml_status biquads_step(biquads_state *s, const biquads_params *p, const biquads_inputs *u,
                        biquads_outputs *y) {
    if (!s || !p || !u || !y) {
        return TML_E_ARG;
    }
    output(s, u, y);
    update(s);
    return TML_OK;
}

tml_status biquads_step_n(biquads_state *s, const biquads_params *p, size_t n,
                          const biquads_inputs *u, biquads_outputs *y) {
    if (!s || !p || !u || !y) {
        return TML_E_ARG;
    }
    for (size_t k = 0; k < n; k++) {
        output(s, &u[k], &y[k]);
        update(s);
    }
    return TML_OK;
}
