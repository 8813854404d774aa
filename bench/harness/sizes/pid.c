/* PID controller with a filtered derivative, limits and anti-windup. */
#include "bench/harness/sizes/component.h"

#define DT 0.02
#define B 0.8
#define TF 0.05

typedef struct pid_params {
    double kp;
    double ki;
    double kd;
    double kt;
    double lo;
    double hi;
} pid_params;

typedef struct pid_inputs {
    double reference;
    double measurement;
} pid_inputs;

typedef struct pid_outputs {
    double u;
} pid_outputs;

typedef struct pid_state {
    double u;
    double integral;
    double rate;
    double previous;
    tml_fault fault;
} pid_state;

static double clamp(double x, double lo, double hi) {
    return x < lo ? lo : x > hi ? hi : x;
}

static double filtered(const pid_state *s, const pid_inputs *u) {
    return TF / (TF + DT) * s->rate + 1.0 / (TF + DT) * (u->measurement - s->previous);
}

static double wanted(const pid_state *s, const pid_params *p, const pid_inputs *u) {
    return p->kp * (B * u->reference - u->measurement) + s->integral - p->kd * filtered(s, u);
}

static void output(pid_state *s, const pid_params *p, const pid_inputs *u, pid_outputs *y) {
    s->u = clamp(wanted(s, p, u), p->lo, p->hi);
    y->u = s->u;
}

static void update(pid_state *s, const pid_params *p, const pid_inputs *u) {
    s->integral +=
        DT * (p->ki * (u->reference - u->measurement) + p->kt * (s->u - wanted(s, p, u)));
    s->rate = filtered(s, u);
    s->previous = u->measurement;
}

tml_status pid_init(pid_state *s, const pid_params *p) {
    if (!s || !p) {
        return TML_E_ARG;
    }
    *s = (pid_state){0};
    return TML_OK;
}

tml_status pid_output(pid_state *s, const pid_params *p, const pid_inputs *u, pid_outputs *y) {
    if (!s || !p || !u || !y) {
        return TML_E_ARG;
    }
    output(s, p, u, y);
    return TML_OK;
}

tml_status pid_update(pid_state *s, const pid_params *p, const pid_inputs *u, pid_outputs *y) {
    if (!s || !p || !u || !y) {
        return TML_E_ARG;
    }
    update(s, p, u);
    return TML_OK;
}

tml_status pid_step(pid_state *s, const pid_params *p, const pid_inputs *u, pid_outputs *y) {
    if (!s || !p || !u || !y) {
        return TML_E_ARG;
    }
    output(s, p, u, y);
    update(s, p, u);
    return TML_OK;
}

tml_status pid_step_n(pid_state *s, const pid_params *p, size_t n, const pid_inputs *u,
                      pid_outputs *y) {
    if (!s || !p || !u || !y) {
        return TML_E_ARG;
    }
    for (size_t k = 0; k < n; k++) {
        output(s, p, &u[k], &y[k]);
        update(s, p, &u[k]);
    }
    return TML_OK;
}
