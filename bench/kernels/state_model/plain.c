#include <math.h>
#include <string.h>

enum { N = 64, STEPS = 256 };

static double a[N][N], b[N][2], c[2][N];

__attribute__((constructor)) static void start(void) {
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            a[i][j] = 0.9 * exp(-2 * fabs((double)i - j)) * 0.7;
        }
        b[i][0] = sin(i * 0.1);
        b[i][1] = sin(i * 0.7);
        c[0][i] = cos(0.3 * i);
        c[1][i] = cos(0.2 * i);
    }
}

void KERNEL(const double *restrict u, double *restrict y) {
    double x[N] = {0}, next[N];
    for (int step = 0; step < STEPS; step++, u += 2, y += 2) {
        y[0] = y[1] = 0;
        for (int k = 0; k < N; k++) {
            y[0] += c[0][k] * x[k];
            y[1] += c[1][k] * x[k];
        }
        for (int i = 0; i < N; i++) {
            double sum = 0;
            for (int k = 0; k < N; k++) {
                sum += a[i][k] * x[k];
            }
            next[i] = sum + b[i][0] * u[0] + b[i][1] * u[1];
        }
        memcpy(x, next, sizeof(x));
    }
}
