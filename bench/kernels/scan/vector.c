#include "bench/harness/vector.h"

/* Each knot that is reached moves what is kept to the next interval. */
void KERNEL(const double *restrict knots, const double *restrict values, const double *restrict x,
            double *restrict result) {
    for (int i = 0; i < 4096; i += LANES) {
        V v = load(x + i);
        V start = splat(knots[0]), end = splat(knots[1]);
        V base = splat(values[0]), top = splat(values[1]);
        for (int k = 1; k < 8; k++) {
            Mask reached = v >= splat(knots[k]);
            start = choose(reached, splat(knots[k]), start);
            end = choose(reached, splat(knots[k + 1]), end);
            base = choose(reached, splat(values[k]), base);
            top = choose(reached, splat(values[k + 1]), top);
        }
        V share = (v - start) / (end - start);
        share = choose(share < 0, (V){0}, share);
        share = choose(share > 1, splat(1), share);
        store(result + i, base + share * (top - base));
    }
}
