#include <string.h>

enum { N = 4, M = 2, STEPS = 1024 };

static const double f[N][N] = {{0.88, 0.02, 0.10, 0.01},
                               {-0.03, 0.87, 0.02, 0.10},
                               {0.04, -0.01, 0.89, 0.03},
                               {0.02, 0.05, -0.02, 0.86}};
static const double h[M][N] = {{1.0, 0.1, 0.2, 0.0}, {0.3, 1.0, 0.0, 0.1}};

/* x and p after a measured z. */
static void correct(double x[N], double p[N][N], const double z[M]) {
    double hp[M][N] = {{0}}, s[M][M] = {{0}}, gain[N][M], rest[M];
    for (int i = 0; i < M; i++) {
        for (int j = 0; j < N; j++) {
            for (int k = 0; k < N; k++) {
                hp[i][j] += h[i][k] * p[k][j];
            }
        }
    }
    for (int i = 0; i < M; i++) {
        for (int j = 0; j < M; j++) {
            for (int k = 0; k < N; k++) {
                s[i][j] += hp[i][k] * h[j][k];
            }
        }
        s[i][i] += 0.25;
    }
    double det = s[0][0] * s[1][1] - s[0][1] * s[1][0];
    for (int i = 0; i < N; i++) {
        gain[i][0] = (s[1][1] * hp[0][i] - s[0][1] * hp[1][i]) / det;
        gain[i][1] = (s[0][0] * hp[1][i] - s[1][0] * hp[0][i]) / det;
    }
    for (int i = 0; i < M; i++) {
        rest[i] = z[i];
        for (int k = 0; k < N; k++) {
            rest[i] -= h[i][k] * x[k];
        }
    }
    for (int i = 0; i < N; i++) {
        x[i] += gain[i][0] * rest[0] + gain[i][1] * rest[1];
        for (int j = 0; j < N; j++) {
            p[i][j] -= gain[i][0] * hp[0][j] + gain[i][1] * hp[1][j];
        }
    }
}

static void predict(double x[N], double p[N][N]) {
    double next[N] = {0}, fp[N][N] = {{0}}, square[N][N] = {{0}};
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < N; k++) {
            next[i] += f[i][k] * x[k];
        }
        for (int j = 0; j < N; j++) {
            for (int k = 0; k < N; k++) {
                fp[i][j] += f[i][k] * p[k][j];
            }
        }
    }
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            for (int k = 0; k < N; k++) {
                square[i][j] += fp[i][k] * f[j][k];
            }
        }
        square[i][i] += 0.01;
    }
    memcpy(x, next, sizeof(next));
    memcpy(p, square, sizeof(square));
}

void KERNEL(const double *restrict u, double *restrict y) {
    double x[N] = {0}, p[N][N] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    for (int step = 0; step < STEPS; step++, u += M, y += N) {
        correct(x, p, u);
        memcpy(y, x, sizeof(x));
        predict(x, p);
    }
}
