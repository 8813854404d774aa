/* Signed sum of three inputs, then the mean of its last values. */
#include "bench/harness/sizes/component.h"

enum { WINDOW = 8 };

typedef struct movingsum_params {
    uint8_t none;
} movingsum_params;

typedef struct movingsum_inputs {
    double in_0;
    double in_1;
    double in_2;
} movingsum_inputs;

typedef struct movingsum_outputs {
    double mean;
} movingsum_outputs;

typedef struct movingsum_state {
    double past[WINDOW];
    int32_t next;
    tml_fault fault;
} movingsum_state;

/* Remembers where an index was wrong. */
static tml_status trap(movingsum_state *s, int64_t index) {
    s->fault = (tml_fault){TML_E_INDEX, 0, 30, 10, index, WINDOW, 0};
    return TML_E_INDEX;
}

static tml_status output(movingsum_state *s, const movingsum_inputs *u, movingsum_outputs *y) {
    if (s->next < 0 || s->next >= WINDOW) {
        return trap(s, s->next);
    }
    s->past[s->next] = u->in_0 - u->in_1 + u->in_2;
    double sum = 0.0;
    for (int k = 0; k < WINDOW; k++) {
        sum += s->past[k];
    }
    y->mean = sum / WINDOW;
    return TML_OK;
}

static void update(movingsum_state *s) {
    s->next = (s->next + 1) % WINDOW;
}

tml_status movingsum_init(movingsum_state *s, const movingsum_params *p) {
    if (!s || !p) {
        return TML_E_ARG;
    }
    *s = (movingsum_state){0};
    return TML_OK;
}

tml_status movingsum_output(movingsum_state *s, const movingsum_params *p,
                            const movingsum_inputs *u, movingsum_outputs *y) {
    if (!s || !p || !u || !y) {
        return TML_E_ARG;
    }
    return output(s, u, y);
}

tml_status movingsum_update(movingsum_state *s, const movingsum_params *p,
                            const movingsum_inputs *u, movingsum_outputs *y) {
    if (!s || !p || !u || !y) {
        return TML_E_ARG;
    }
    update(s);
    return TML_OK;
}

tml_status movingsum_step(movingsum_state *s, const movingsum_params *p, const movingsum_inputs *u,
                          movingsum_outputs *y) {
    if (!s || !p || !u || !y) {
        return TML_E_ARG;
    }
    tml_status status = output(s, u, y);
    if (status == TML_OK) {
        update(s);
    }
    return status;
}

tml_status movingsum_step_n(movingsum_state *s, const movingsum_params *p, size_t n,
                            const movingsum_inputs *u, movingsum_outputs *y) {
    if (!s || !p || !u || !y) {
        return TML_E_ARG;
    }
    for (size_t k = 0; k < n; k++) {
        tml_status status = output(s, &u[k], &y[k]);
        if (status != TML_OK) {
            s->fault.step = k;
            return status;
        }
        update(s);
    }
    return TML_OK;
}
