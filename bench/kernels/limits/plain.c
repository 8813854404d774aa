#include <math.h>

static double least(double a, double b) {
    return a < b || isnan(a) ? a : b;
}

static double greatest(double a, double b) {
    return a > b || isnan(a) ? a : b;
}

void KERNEL(const double *restrict x, const double *restrict y, double *restrict result) {
    for (int i = 0; i < 4096; i++) {
        double low = least(x[i], y[i]), high = greatest(x[i], y[i]);
        result[i] = fabs(low) + least(greatest(high, -0.5), 0.5);
    }
}
