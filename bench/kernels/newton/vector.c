#include "bench/harness/vector.h"

enum { WAYS = 4 };

static V absolute(V v) {
    return (V)((Mask)v & INT64_MAX);
}

static int any(Mask m) {
    int64_t all = 0;
    for (int i = 0; i < LANES; i++) {
        all |= m[i];
    }
    return all != 0;
}

void KERNEL(const double *restrict c, double *restrict result) {
    for (int i = 0; i < 2048; i += WAYS * LANES) {
        V at[WAYS], x[WAYS];
        Mask open[WAYS], some;
        for (int w = 0; w < WAYS; w++) {
            at[w] = x[w] = load(c + i + w * LANES);
            open[w] = (Mask){0} == 0;
        }
        do {
            some = (Mask){0};
            for (int w = 0; w < WAYS; w++) {
                V step = (x[w] - at[w] / (x[w] * x[w])) * (1 / 3.0);
                x[w] -= choose(open[w], step, (V){0});
                open[w] &= absolute(step) > 1e-9 * x[w];
                some |= open[w];
            }
        } while (any(some));
        for (int w = 0; w < WAYS; w++) {
            store(result + i + w * LANES, x[w]);
        }
    }
}
