#include "bench/harness/vector.h"

static V from_table(const double *table, Mask at) {
    V found;
#if defined(__AVX512F__)
    found = (V)_mm512_i64gather_pd((__m512i)at, table, 8);
#else
    for (int i = 0; i < LANES; i++) {
        found[i] = table[at[i]];
    }
#endif
    return found;
}

/* Sixteen intervals: four halvings for all of them. */
void KERNEL(const double *restrict knots, const double *restrict values, const double *restrict x,
            double *restrict result) {
    for (int i = 0; i < 4096; i += LANES) {
        V v = load(x + i);
        Mask low = {0};
        for (int half = 8; half > 0; half /= 2) {
            low += (Mask)(v >= from_table(knots, low + half)) & half;
        }
        V start = from_table(knots, low), base = from_table(values, low);
        V share = (v - start) / (from_table(knots, low + 1) - start);
        share = choose(share < 0, (V){0}, share);
        share = choose(share > 1, splat(1), share);
        store(result + i, base + share * (from_table(values, low + 1) - base));
    }
}
