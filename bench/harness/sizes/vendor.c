/* Thermal protection of a power stage: derates the current when warm, trips when hot. */
#include "bench/harness/sizes/component.h"

#include <math.h>

#define DT 0.1
#define START 25.0
#define REFERENCE 298.15
#define NOMINAL 10.0e3
#define BETA 3950.0
#define TAU 0.8

typedef struct vendor_params {
    double most;
    double warm;
    double hot;
} vendor_params;

typedef struct vendor_inputs {
    double wanted_0;
    double wanted_1;
    double wanted_2;
    double sensor;
    uint8_t reset;
} vendor_inputs;

typedef struct vendor_outputs {
    uint8_t tripped;
    double limit;
    double allowed_0;
    double allowed_1;
    double allowed_2;
} vendor_outputs;

typedef struct vendor_state {
    double filtered;
    uint8_t tripped;
    tml_fault fault;
} vendor_state;

static double clamp(double x, double lo, double hi) {
    return x < lo ? lo : x > hi ? hi : x;
}

static double derated(const vendor_params *p, double x) {
    return p->most * clamp((p->hot - x) / (p->hot - p->warm), 0.0, 1.0);
}

static void output(const vendor_state *s, const vendor_params *p, const vendor_inputs *u,
                   vendor_outputs *y) {
    double limit = s->tripped ? 0.0 : derated(p, s->filtered);
    y->tripped = s->tripped;
    y->limit = limit;
    y->allowed_0 = clamp(u->wanted_0, -limit, limit);
    y->allowed_1 = clamp(u->wanted_1, -limit, limit);
    y->allowed_2 = clamp(u->wanted_2, -limit, limit);
}

static void update(vendor_state *s, const vendor_params *p, const vendor_inputs *u) {
    double measured = 1.0 / (1.0 / REFERENCE + log(u->sensor / NOMINAL) / BETA) - 273.15;
    s->filtered += DT / TAU * (measured - s->filtered);
    if (s->filtered > p->hot) {
        s->tripped = 1;
    } else if (u->reset && s->filtered < p->warm) {
        s->tripped = 0;
    }
}

tml_status vendor_init(vendor_state *s, const vendor_params *p) {
    if (!s || !p) {
        return TML_E_ARG;
    }
    *s = (vendor_state){0};
    s->filtered = START;
    return TML_OK;
}

tml_status vendor_output(vendor_state *s, const vendor_params *p, const vendor_inputs *u,
                         vendor_outputs *y) {
    if (!s || !p || !u || !y) {
        return TML_E_ARG;
    }
    output(s, p, u, y);
    return TML_OK;
}

tml_status vendor_update(vendor_state *s, const vendor_params *p, const vendor_inputs *u,
                         vendor_outputs *y) {
    if (!s || !p || !u || !y) {
        return TML_E_ARG;
    }
    update(s, p, u);
    return TML_OK;
}

tml_status vendor_step(vendor_state *s, const vendor_params *p, const vendor_inputs *u,
                       vendor_outputs *y) {
    if (!s || !p || !u || !y) {
        return TML_E_ARG;
    }
    output(s, p, u, y);
    update(s, p, u);
    return TML_OK;
}

tml_status vendor_step_n(vendor_state *s, const vendor_params *p, size_t n, const vendor_inputs *u,
                         vendor_outputs *y) {
    if (!s || !p || !u || !y) {
        return TML_E_ARG;
    }
    for (size_t k = 0; k < n; k++) {
        output(s, p, &u[k], &y[k]);
        update(s, p, &u[k]);
    }
    return TML_OK;
}
