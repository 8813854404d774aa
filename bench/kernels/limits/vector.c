#include "bench/harness/vector.h"

static V least(V a, V b) {
    return choose((a < b) | (a != a), a, b);
}

static V greatest(V a, V b) {
    return choose((a > b) | (a != a), a, b);
}

static V absolute(V v) {
    return (V)((Mask)v & INT64_MAX);
}

/* If one is nan, it is in `low` and `high` both: limits drop it, and the sum brings it back. */
void KERNEL(const double *restrict x, const double *restrict y, double *restrict result) {
    for (int i = 0; i < 4096; i += LANES) {
        V a = load(x + i), b = load(y + i), high = greatest(a, b);
        V limited = choose(high < -0.5, splat(-0.5), high);
        limited = choose(limited > 0.5, splat(0.5), limited);
        store(result + i, absolute(least(a, b)) + limited);
    }
}
