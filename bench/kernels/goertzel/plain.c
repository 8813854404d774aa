#include <math.h>

enum { N = 8, BLOCK = 64, STEPS = 2048 };

void KERNEL(const double *restrict u, double *restrict y) {
    double factor[N], s1[N] = {0}, s2[N] = {0}, power[N] = {0};
    int count = 0;
    for (int i = 0; i < N; i++) {
        factor[i] = 2.0 * cos(2.0 * M_PI * (i + 1) / BLOCK);
    }
    for (int step = 0; step < STEPS; step++, y += N) {
        for (int i = 0; i < N; i++) {
            double s0 = u[step] + factor[i] * s1[i] - s2[i];
            s2[i] = s1[i];
            s1[i] = s0;
        }
        count++;
        if (count == BLOCK) {
            for (int i = 0; i < N; i++) {
                power[i] = s1[i] * s1[i] + s2[i] * s2[i] - factor[i] * s1[i] * s2[i];
                s1[i] = s2[i] = 0;
            }
            count = 0;
        }
        for (int i = 0; i < N; i++) {
            y[i] = power[i];
        }
    }
}
