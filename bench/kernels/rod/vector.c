#include "bench/harness/vector.h"

enum { N = 1024 };

static void step(const double *restrict from, double *restrict to, double r) {
    for (int i = 1; i + LANES <= N - 1; i += LANES) {
        V center = load(from + i);
        store(to + i, center + r * (load(from + i - 1) + load(from + i + 1) - 2 * center));
    }
    const double *last = from + N - 1 - LANES;
    store(to + N - 1 - LANES, load(last) + r * (load(last - 1) + load(last + 1) - 2 * load(last)));
}

/* To and fro between two arrays. */
void KERNEL(const double *restrict u, double r, double *restrict result) {
    double other[N];
    memcpy(result, u, sizeof(other));
    memcpy(other, u, sizeof(other));
    for (int i = 0; i < 64; i += 2) {
        step(result, other, r);
        step(other, result, r);
    }
}
