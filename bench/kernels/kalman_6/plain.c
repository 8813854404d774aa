#include <math.h>
#include <string.h>

enum { N = 6, M = 3, STEPS = 128 };

/* Solves s x = right for N right sides. */
static void solve(double s[M][M], double x[M][N]) {
    for (int k = 0; k < M; k++) {
        int pivot = k;
        for (int i = k + 1; i < M; i++) {
            pivot = fabs(s[i][k]) > fabs(s[pivot][k]) ? i : pivot;
        }
        for (int j = 0; j < M && pivot != k; j++) {
            double swapped = s[k][j];
            s[k][j] = s[pivot][j];
            s[pivot][j] = swapped;
        }
        for (int j = 0; j < N && pivot != k; j++) {
            double swapped = x[k][j];
            x[k][j] = x[pivot][j];
            x[pivot][j] = swapped;
        }
        for (int i = k + 1; i < M; i++) {
            double factor = s[i][k] / s[k][k];
            for (int j = k + 1; j < M; j++) {
                s[i][j] -= factor * s[k][j];
            }
            for (int j = 0; j < N; j++) {
                x[i][j] -= factor * x[k][j];
            }
        }
    }
    for (int k = M - 1; k >= 0; k--) {
        for (int j = 0; j < N; j++) {
            for (int i = k + 1; i < M; i++) {
                x[k][j] -= s[k][i] * x[i][j];
            }
            x[k][j] /= s[k][k];
        }
    }
}

static void predict(double x[N], double p[N][N], const double *f, const double *q) {
    double next[N], fp[N][N];
    for (int i = 0; i < N; i++) {
        next[i] = 0;
        for (int k = 0; k < N; k++) {
            next[i] += f[i * N + k] * x[k];
        }
        for (int j = 0; j < N; j++) {
            fp[i][j] = 0;
            for (int k = 0; k < N; k++) {
                fp[i][j] += f[i * N + k] * p[k][j];
            }
        }
    }
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            p[i][j] = q[i * N + j];
            for (int k = 0; k < N; k++) {
                p[i][j] += fp[i][k] * f[j * N + k];
            }
        }
    }
    memcpy(x, next, sizeof(next));
}

static void correct(double x[N], double p[N][N], const double *h, const double *r,
                    const double *z) {
    double hp[M][N], s[M][M], gain[M][N], rest[M];
    for (int i = 0; i < M; i++) {
        for (int j = 0; j < N; j++) {
            hp[i][j] = 0;
            for (int k = 0; k < N; k++) {
                hp[i][j] += h[i * N + k] * p[k][j];
            }
        }
    }
    for (int i = 0; i < M; i++) {
        rest[i] = z[i];
        for (int k = 0; k < N; k++) {
            rest[i] -= h[i * N + k] * x[k];
        }
        for (int j = 0; j < M; j++) {
            s[i][j] = r[i * M + j];
            for (int k = 0; k < N; k++) {
                s[i][j] += hp[i][k] * h[j * N + k];
            }
        }
    }
    memcpy(gain, hp, sizeof(hp));
    solve(s, gain);
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < M; k++) {
            x[i] += gain[k][i] * rest[k];
            for (int j = 0; j < N; j++) {
                p[i][j] -= gain[k][i] * hp[k][j];
            }
        }
    }
}

void KERNEL(const double *restrict z, const double *restrict f, const double *restrict h,
            const double *restrict q, const double *restrict r, double *restrict result) {
    double x[N] = {0}, p[N][N];
    memcpy(p, q, sizeof(p));
    for (int step = 0; step < STEPS; step++) {
        predict(x, p, f, q);
        correct(x, p, h, r, z + step * M);
        memcpy(result + step * N, x, sizeof(x));
    }
}
