/* Kalman filter that follows a point in the plane, which moves with nearly constant velocity. */
#include "bench/harness/sizes/component.h"

#include <math.h>
#include <string.h>

#define DT 6.0
#define ACCELERATION 1.0
#define SIGMA 15.0
#define Q11 (ACCELERATION * (DT * DT * DT / 3.0))
#define Q12 (ACCELERATION * (DT * DT / 2.0))
#define Q22 (ACCELERATION * DT)

typedef struct kalman_params {
    uint8_t none;
} kalman_params;

typedef struct kalman_inputs {
    double fix[2];
    uint8_t seen;
} kalman_inputs;

typedef struct kalman_outputs {
    double state[4];
    double deviation[2];
} kalman_outputs;

typedef struct kalman_state {
    double h[2][4];
    double x[4];
    double covariance[4][4];
    tml_fault fault;
} kalman_state;

static const double prior[4] = {100.0, 100.0, 30.0, 30.0};
static const double f[4][4] = {
    {1.0, 0.0, DT, 0.0}, {0.0, 1.0, 0.0, DT}, {0.0, 0.0, 1.0, 0.0}, {0.0, 0.0, 0.0, 1.0}};
static const double q[4][4] = {
    {Q11, 0.0, Q12, 0.0}, {0.0, Q11, 0.0, Q12}, {Q12, 0.0, Q22, 0.0}, {0.0, Q12, 0.0, Q22}};
static const double r[2][2] = {{SIGMA * SIGMA, 0.0}, {0.0, SIGMA *SIGMA}};

/* c = a b, of n by m and m by k elements. */
static void multiply(const double *a, const double *b, double *c, int n, int m, int k) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < k; j++) {
            double sum = 0.0;
            for (int l = 0; l < m; l++) {
                sum += a[i * m + l] * b[l * k + j];
            }
            c[i * k + j] = sum;
        }
    }
}

/* c = a b', of n by m and k by m elements. */
static void multiply_transposed(const double *a, const double *b, double *c, int n, int m, int k) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < k; j++) {
            double sum = 0.0;
            for (int l = 0; l < m; l++) {
                sum += a[i * m + l] * b[j * m + l];
            }
            c[i * k + j] = sum;
        }
    }
}

/* Solves a x = b in place by Gaussian elimination with pivots; a is lost. */
static void solve(double a[2][2], double b[2][4]) {
    if (fabs(a[1][0]) > fabs(a[0][0])) {
        for (int j = 0; j < 2; j++) {
            double t = a[0][j];
            a[0][j] = a[1][j];
            a[1][j] = t;
        }
        for (int j = 0; j < 4; j++) {
            double t = b[0][j];
            b[0][j] = b[1][j];
            b[1][j] = t;
        }
    }
    double factor = a[1][0] / a[0][0];
    a[1][1] -= factor * a[0][1];
    for (int j = 0; j < 4; j++) {
        b[1][j] -= factor * b[0][j];
        b[1][j] /= a[1][1];
        b[0][j] -= a[0][1] * b[1][j];
        b[0][j] /= a[0][0];
    }
}

static void correct(kalman_state *s, const double fix[2]) {
    double ph[2][4], innovation[2][2], gain[4][2], rest[4][4], t[4][4], gr[4][2], grg[4][4];
    multiply(s->h[0], s->covariance[0], ph[0], 2, 4, 4);
    multiply_transposed(ph[0], s->h[0], innovation[0], 2, 4, 2);
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            innovation[i][j] += r[i][j];
        }
    }
    solve(innovation, ph);
    for (int i = 0; i < 4; i++) {
        gain[i][0] = ph[0][i];
        gain[i][1] = ph[1][i];
    }

    double surprise[2];
    multiply(s->h[0], s->x, surprise, 2, 4, 1);
    surprise[0] = fix[0] - surprise[0];
    surprise[1] = fix[1] - surprise[1];
    for (int i = 0; i < 4; i++) {
        s->x[i] += gain[i][0] * surprise[0] + gain[i][1] * surprise[1];
    }

    multiply(gain[0], s->h[0], rest[0], 4, 2, 4);
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            rest[i][j] = (i == j ? 1.0 : 0.0) - rest[i][j];
        }
    }
    multiply(rest[0], s->covariance[0], t[0], 4, 4, 4);
    multiply_transposed(t[0], rest[0], s->covariance[0], 4, 4, 4);
    multiply(gain[0], r[0], gr[0], 4, 2, 2);
    multiply_transposed(gr[0], gain[0], grg[0], 4, 2, 4);
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            s->covariance[i][j] += grg[i][j];
        }
    }
}

static void output(kalman_state *s, const kalman_inputs *u, kalman_outputs *y) {
    if (u->seen) {
        correct(s, u->fix);
    }
    memcpy(y->state, s->x, sizeof y->state);
    for (int i = 0; i < 2; i++) {
        y->deviation[i] = sqrt(s->covariance[i][i]);
    }
}

static void update(kalman_state *s) {
    double x[4], t[4][4];
    multiply(f[0], s->x, x, 4, 4, 1);
    memcpy(s->x, x, sizeof x);
    multiply(f[0], s->covariance[0], t[0], 4, 4, 4);
    multiply_transposed(t[0], f[0], s->covariance[0], 4, 4, 4);
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            s->covariance[i][j] += q[i][j];
        }
    }
}

tml_status kalman_init(kalman_state *s, const kalman_params *p) {
    if (!s || !p) {
        return TML_E_ARG;
    }
    *s = (kalman_state){0};
    s->h[0][0] = 1.0;
    s->h[1][1] = 1.0;
    for (int i = 0; i < 4; i++) {
        s->covariance[i][i] = prior[i] * prior[i];
    }
    return TML_OK;
}

tml_status kalman_output(kalman_state *s, const kalman_params *p, const kalman_inputs *u,
                         kalman_outputs *y) {
    if (!s || !p || !u || !y) {
        return TML_E_ARG;
    }
    output(s, u, y);
    return TML_OK;
}

tml_status kalman_update(kalman_state *s, const kalman_params *p, const kalman_inputs *u,
                         kalman_outputs *y) {
    if (!s || !p || !u || !y) {
        return TML_E_ARG;
    }
    update(s);
    return TML_OK;
}

tml_status kalman_step(kalman_state *s, const kalman_params *p, const kalman_inputs *u,
                       kalman_outputs *y) {
    if (!s || !p || !u || !y) {
        return TML_E_ARG;
    }
    output(s, u, y);
    update(s);
    return TML_OK;
}

tml_status kalman_step_n(kalman_state *s, const kalman_params *p, size_t n, const kalman_inputs *u,
                         kalman_outputs *y) {
    if (!s || !p || !u || !y) {
        return TML_E_ARG;
    }
    for (size_t k = 0; k < n; k++) {
        output(s, &u[k], &y[k]);
        update(s);
    }
    return TML_OK;
}
