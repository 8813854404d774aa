#include <math.h>

static double root(double c) {
    double x = c, step = 1;
    while (fabs(step) > 1e-9 * x) {
        step = (x - c / (x * x)) / 3;
        x -= step;
    }
    return x;
}

void KERNEL(const double *restrict c, double *restrict result) {
    for (int i = 0; i < 2048; i++) {
        result[i] = root(c[i]);
    }
}
