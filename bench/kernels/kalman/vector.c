#include "bench/harness/vector.h"

enum { STEPS = 1024 };

/* Columns of f; p is symmetric, so that its rows are its columns. */
static const V4 f0 = {0.88, -0.03, 0.04, 0.02}, f1 = {0.02, 0.87, -0.01, 0.05},
                f2 = {0.10, 0.02, 0.89, -0.02}, f3 = {0.01, 0.10, 0.03, 0.86};
static const double f[4][4] = {{0.88, 0.02, 0.10, 0.01},
                               {-0.03, 0.87, 0.02, 0.10},
                               {0.04, -0.01, 0.89, 0.03},
                               {0.02, 0.05, -0.02, 0.86}};
static const V4 h0 = {1.0, 0.1, 0.2, 0.0}, h1 = {0.3, 1.0, 0.0, 0.1};

static double dot(V4 a, V4 b) {
    V4 p = a * b;
    return (p[0] + p[1]) + (p[2] + p[3]);
}

void KERNEL(const double *restrict u, double *restrict y) {
    V4 x = {0}, p[4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    for (int step = 0; step < STEPS; step++, u += 2, y += 4) {
        V4 hp0 = p[0] * h0[0] + p[1] * h0[1] + (p[2] * h0[2] + p[3] * h0[3]);
        V4 hp1 = p[0] * h1[0] + p[1] * h1[1] + (p[2] * h1[2] + p[3] * h1[3]);
        double s00 = dot(hp0, h0) + 0.25, s01 = dot(hp0, h1), s11 = dot(hp1, h1) + 0.25;
        double inverse = 1 / (s00 * s11 - s01 * s01);
        V4 gain0 = (s11 * hp0 - s01 * hp1) * inverse, gain1 = (s00 * hp1 - s01 * hp0) * inverse;
        x += gain0 * (u[0] - dot(h0, x)) + gain1 * (u[1] - dot(h1, x));
        store4(y, x);
        for (int i = 0; i < 4; i++) {
            p[i] -= gain0[i] * hp0 + gain1[i] * hp1;
        }
        x = (f0 * x[0] + f1 * x[1]) + (f2 * x[2] + f3 * x[3]);
        V4 fp[4];
        for (int i = 0; i < 4; i++) {
            fp[i] = (f[i][0] * p[0] + f[i][1] * p[1]) + (f[i][2] * p[2] + f[i][3] * p[3]);
        }
        for (int i = 0; i < 4; i++) {
            p[i] = (f0 * fp[i][0] + f1 * fp[i][1]) + (f2 * fp[i][2] + f3 * fp[i][3]);
            p[i][i] += 0.01;
        }
    }
}
