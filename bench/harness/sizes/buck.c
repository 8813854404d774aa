/* Averaged model of a synchronous buck converter, and its controller. */
#include "bench/harness/sizes/component.h"

#define DT 10.0e-6
#define SUBSTEPS 8
#define L 100.0e-6
#define C 220.0e-6
#define R 0.05
#define SUPPLY 24.0
#define MOST 8.0
#define TOP 0.95

typedef struct buck_params {
    double kp;
    double ki;
    double kt;
    double kc;
} buck_params;

typedef struct buck_inputs {
    double reference;
    double vin;
    double load;
} buck_inputs;

typedef struct buck_outputs {
    double v;
    double current;
    double duty;
} buck_outputs;

typedef struct buck_state {
    double v;
    double current;
    double duty;
    double x[2];
    double integral;
    tml_fault fault;
} buck_state;

static double clamp(double x, double lo, double hi) {
    return x < lo ? lo : x > hi ? hi : x;
}

static void rates(const buck_state *s, const buck_inputs *u, const double x[2], double k[2]) {
    k[0] = (s->duty * u->vin - R * x[0] - x[1]) / L;
    k[1] = (x[0] - u->load) / C;
}

/* One step of the classical Runge-Kutta method. */
static void advance(buck_state *s, const buck_inputs *u, double h) {
    double k1[2], k2[2], k3[2], k4[2], x[2];
    rates(s, u, s->x, k1);
    for (int i = 0; i < 2; i++) {
        x[i] = s->x[i] + h / 2.0 * k1[i];
    }
    rates(s, u, x, k2);
    for (int i = 0; i < 2; i++) {
        x[i] = s->x[i] + h / 2.0 * k2[i];
    }
    rates(s, u, x, k3);
    for (int i = 0; i < 2; i++) {
        x[i] = s->x[i] + h * k3[i];
    }
    rates(s, u, x, k4);
    for (int i = 0; i < 2; i++) {
        s->x[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
    }
}

static double asked(const buck_state *s, const buck_params *p, const buck_inputs *u) {
    return p->kp * (u->reference - s->x[1]) + s->integral;
}

static void show(buck_state *s) {
    s->current = s->x[0];
    s->v = s->x[1];
}

static void output(buck_state *s, const buck_params *p, const buck_inputs *u, buck_outputs *y) {
    double wanted = clamp(asked(s, p, u), -MOST, MOST);
    s->duty = clamp((s->x[1] + p->kc * (wanted - s->x[0])) / SUPPLY, 0.0, TOP);
    y->v = s->v;
    y->current = s->current;
    y->duty = s->duty;
}

static void update(buck_state *s, const buck_params *p, const buck_inputs *u) {
    double cut = clamp(asked(s, p, u), -MOST, MOST) - asked(s, p, u);
    s->integral += DT * (p->ki * (u->reference - s->x[1]) + p->kt * cut);
    for (int k = 0; k < SUBSTEPS; k++) {
        advance(s, u, DT / SUBSTEPS);
    }
    show(s);
}

tml_status buck_init(buck_state *s, const buck_params *p) {
    if (!s || !p) {
        return TML_E_ARG;
    }
    *s = (buck_state){0};
    return TML_OK;
}

tml_status buck_output(buck_state *s, const buck_params *p, const buck_inputs *u, buck_outputs *y) {
    if (!s || !p || !u || !y) {
        return TML_E_ARG;
    }
    output(s, p, u, y);
    return TML_OK;
}

tml_status buck_update(buck_state *s, const buck_params *p, const buck_inputs *u, buck_outputs *y) {
    if (!s || !p || !u || !y) {
        return TML_E_ARG;
    }
    update(s, p, u);
    return TML_OK;
}

tml_status buck_step(buck_state *s, const buck_params *p, const buck_inputs *u, buck_outputs *y) {
    if (!s || !p || !u || !y) {
        return TML_E_ARG;
    }
    output(s, p, u, y);
    update(s, p, u);
    return TML_OK;
}

tml_status buck_step_n(buck_state *s, const buck_params *p, size_t n, const buck_inputs *u,
                       buck_outputs *y) {
    if (!s || !p || !u || !y) {
        return TML_E_ARG;
    }
    for (size_t k = 0; k < n; k++) {
        output(s, p, &u[k], &y[k]);
        update(s, p, &u[k]);
    }
    return TML_OK;
}
