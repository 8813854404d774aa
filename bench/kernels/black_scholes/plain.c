#include <math.h>

static double normal(double x) {
    return 0.5 + 0.5 * erf(x * sqrt(0.5));
}

void KERNEL(const double *restrict price, const double *restrict strike,
            const double *restrict years, double rate, double volatility, double *restrict result) {
    for (int i = 0; i < 4096; i++) {
        double root = volatility * sqrt(years[i]);
        double d1 =
            (log(price[i] / strike[i]) + (rate + 0.5 * volatility * volatility) * years[i]) / root;
        double d2 = d1 - root;
        result[i] = price[i] * normal(d1) - strike[i] * exp(-rate * years[i]) * normal(d2);
    }
}
