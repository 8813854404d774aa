#include "bench/harness/vector.h"

static V root_of(V v) {
    V root;
    for (int i = 0; i < LANES; i++) {
        root[i] = sqrt(v[i]);
    }
    return root;
}

static V normal(V x) {
    return 0.5 + 0.5 * VECTOR_FUNCTION(erf)(x * sqrt(0.5));
}

void KERNEL(const double *restrict price, const double *restrict strike,
            const double *restrict years, double rate, double volatility, double *restrict result) {
    for (int i = 0; i < 4096; i += LANES) {
        V s = load(price + i), k = load(strike + i), t = load(years + i);
        V root = volatility * root_of(t);
        V drift = (rate + 0.5 * volatility * volatility) * t;
        V d1 = (VECTOR_FUNCTION(log)(s / k) + drift) / root;
        V d2 = d1 - root;
        store(result + i, s * normal(d1) - k * VECTOR_FUNCTION(exp)(-rate * t) * normal(d2));
    }
}
