#include <math.h>
#include <string.h>

enum { N = 6, M = 2, STEPS = 1024 };

static double a[N][N], b[N][M], c[M][N], feedback[M][N], correction[N][M];

__attribute__((constructor)) static void start(void) {
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            a[i][j] = 0.8 * exp(-2 * fabs((double)i - j));
        }
        for (int j = 0; j < M; j++) {
            b[i][j] = sin(i * (j == 0 ? 0.5 : 0.9));
            c[j][i] = cos((j == 0 ? 0.4 : 0.7) * i);
            feedback[j][i] = 0.1 * cos((j == 0 ? 0.2 : 0.3) * i);
            correction[i][j] = 0.05 * cos(i * (j == 0 ? 0.3 : 0.1));
        }
    }
}

static double clamped(double x, double limit) {
    return x > limit ? limit : x < -limit ? -limit : x;
}

void KERNEL(const double *restrict u, double *restrict y) {
    static const double limit[M] = {1.0, 0.5};
    double x[N] = {0};
    for (int step = 0; step < STEPS; step++, u += 2 * M, y += M) {
        double rest[M], next[N];
        for (int i = 0; i < M; i++) {
            double given = 0, seen = 0;
            for (int k = 0; k < N; k++) {
                given += feedback[i][k] * x[k];
                seen += c[i][k] * x[k];
            }
            y[i] = clamped(u[M + i] - given, limit[i]);
            rest[i] = u[i] - seen;
        }
        for (int i = 0; i < N; i++) {
            next[i] = 0;
            for (int k = 0; k < N; k++) {
                next[i] += a[i][k] * x[k];
            }
            for (int k = 0; k < M; k++) {
                next[i] += b[i][k] * y[k] + correction[i][k] * rest[k];
            }
        }
        memcpy(x, next, sizeof(x));
    }
}
