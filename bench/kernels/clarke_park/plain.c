#include <math.h>

enum { N = 1024 };

void KERNEL(const double *restrict phases, const double *restrict angle, double *restrict result) {
    for (int i = 0; i < N; i++) {
        double a = phases[i], b = phases[N + i], c = phases[2 * N + i];
        double alpha = (2 * a - b - c) / 3, beta = (b - c) * sqrt(1 / 3.0);
        double s = sin(angle[i]), k = cos(angle[i]);
        result[i] = alpha * k + beta * s;
        result[N + i] = beta * k - alpha * s;
    }
}
