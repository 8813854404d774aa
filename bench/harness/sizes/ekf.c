/* Extended Kalman filter that follows a damped pendulum from where its bob is seen. */
#include "bench/harness/sizes/component.h"

#include <math.h>
#include <string.h>

#define DT 0.02
#define LENGTH 0.8
#define MASS 0.5
#define DAMPING 0.05
#define SIGMA 0.02
#define DRIFT 0.05
#define INERTIA (MASS * LENGTH * LENGTH)
#define GRAVITY (9.81 / LENGTH)

typedef struct ekf_params {
    uint8_t none;
} ekf_params;

typedef struct ekf_inputs {
    double torque;
    double side;
} ekf_inputs;

typedef struct ekf_outputs {
    double state[2];
    double deviation[2];
} ekf_outputs;

typedef struct ekf_state {
    double x[2];
    double covariance[2][2];
    tml_fault fault;
} ekf_state;

/* A point of the pendulum's motion and its derivatives: by both states, and by the torque for the
   drift of it. */
typedef struct motion {
    double x[2];
    double by[2][3];
} motion;

static motion rate(const motion *m, double torque) {
    const double drift[3] = {0.0, 0.0, DRIFT};
    motion k;
    k.x[0] = m->x[1];
    k.x[1] = (torque - DAMPING * m->x[1]) / INERTIA - GRAVITY * sin(m->x[0]);
    double slope = cos(m->x[0]);
    for (int j = 0; j < 3; j++) {
        k.by[0][j] = m->by[1][j];
        k.by[1][j] = (drift[j] - DAMPING * m->by[1][j]) / INERTIA - GRAVITY * slope * m->by[0][j];
    }
    return k;
}

/* m + h k */
static motion along(const motion *m, double h, const motion *k) {
    motion next;
    for (int i = 0; i < 2; i++) {
        next.x[i] = m->x[i] + h * k->x[i];
        for (int j = 0; j < 3; j++) {
            next.by[i][j] = m->by[i][j] + h * k->by[i][j];
        }
    }
    return next;
}

/* The motion a step later, by the method of Runge and Kutta. */
static motion advanced(const motion *m, double torque) {
    motion k1 = rate(m, torque);
    motion at = along(m, 0.5 * DT, &k1);
    motion k2 = rate(&at, torque);
    at = along(m, 0.5 * DT, &k2);
    motion k3 = rate(&at, torque);
    at = along(m, DT, &k3);
    motion k4 = rate(&at, torque);
    motion sum = along(&k1, 2.0, &k2);
    sum = along(&sum, 2.0, &k3);
    sum = along(&sum, 1.0, &k4);
    return along(m, DT / 6.0, &sum);
}

/* b = a covariance a' */
static void sandwich(const double a[2][2], const double covariance[2][2], double b[2][2]) {
    double t[2][2];
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            t[i][j] = a[i][0] * covariance[0][j] + a[i][1] * covariance[1][j];
        }
    }
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            b[i][j] = t[i][0] * a[j][0] + t[i][1] * a[j][1];
        }
    }
}

static void correct(ekf_state *s, double side) {
    const double r = SIGMA * SIGMA;
    double h = LENGTH * cos(s->x[0]); /* by the angle; that by the rate is 0 */
    double surprise = side - LENGTH * sin(s->x[0]);
    double spread = h * s->covariance[0][0] * h + r;
    double gain[2] = {s->covariance[0][0] * h / spread, s->covariance[1][0] * h / spread};
    const double rest[2][2] = {{1.0 - gain[0] * h, 0.0}, {-gain[1] * h, 1.0}};
    sandwich(rest, s->covariance, s->covariance);
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            s->covariance[i][j] += r * (gain[i] * gain[j]);
        }
        s->x[i] += gain[i] * surprise;
    }
}

static void output(ekf_state *s, const ekf_inputs *u, ekf_outputs *y) {
    correct(s, u->side);
    for (int i = 0; i < 2; i++) {
        y->state[i] = s->x[i];
        y->deviation[i] = sqrt(s->covariance[i][i]);
    }
}

static void update(ekf_state *s, const ekf_inputs *u) {
    motion start = {{s->x[0], s->x[1]}, {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}}};
    motion end = advanced(&start, u->torque);
    const double f[2][2] = {{end.by[0][0], end.by[0][1]}, {end.by[1][0], end.by[1][1]}};
    sandwich(f, s->covariance, s->covariance);
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            s->covariance[i][j] += end.by[i][2] * end.by[j][2];
        }
        s->x[i] = end.x[i];
    }
}

tml_status ekf_init(ekf_state *s, const ekf_params *p) {
    if (!s || !p) {
        return TML_E_ARG;
    }
    *s = (ekf_state){0};
    s->covariance[0][0] = 1.0;
    s->covariance[1][1] = 1.0;
    return TML_OK;
}

tml_status ekf_output(ekf_state *s, const ekf_params *p, const ekf_inputs *u, ekf_outputs *y) {
    if (!s || !p || !u || !y) {
        return TML_E_ARG;
    }
    output(s, u, y);
    return TML_OK;
}

tml_status ekf_update(ekf_state *s, const ekf_params *p, const ekf_inputs *u, ekf_outputs *y) {
    if (!s || !p || !u || !y) {
        return TML_E_ARG;
    }
    update(s, u);
    return TML_OK;
}

tml_status ekf_step(ekf_state *s, const ekf_params *p, const ekf_inputs *u, ekf_outputs *y) {
    if (!s || !p || !u || !y) {
        return TML_E_ARG;
    }
    output(s, u, y);
    update(s, u);
    return TML_OK;
}

tml_status ekf_step_n(ekf_state *s, const ekf_params *p, size_t n, const ekf_inputs *u,
                      ekf_outputs *y) {
    if (!s || !p || !u || !y) {
        return TML_E_ARG;
    }
    for (size_t k = 0; k < n; k++) {
        output(s, &u[k], &y[k]);
        update(s, &u[k]);
    }
    return TML_OK;
}
