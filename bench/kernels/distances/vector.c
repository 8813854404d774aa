#include "bench/harness/vector.h"

enum { POINTS = 100, OTHERS = 120 };

static V root(V x) {
    for (int i = 0; i < LANES; i++) {
        x[i] = sqrt(x[i]);
    }
    return x;
}

/* The others by coordinates, once. */
void KERNEL(const double *restrict a, const double *restrict b, double *restrict result) {
    double at[3][OTHERS];
    for (int j = 0; j < OTHERS; j++) {
        for (int d = 0; d < 3; d++) {
            at[d][j] = b[3 * j + d];
        }
    }
    for (int i = 0; i < POINTS; i++) {
        V x = splat(a[3 * i]), y = splat(a[3 * i + 1]), z = splat(a[3 * i + 2]);
        for (int j = 0; j < OTHERS; j += LANES) {
            V dx = x - load(at[0] + j), dy = y - load(at[1] + j), dz = z - load(at[2] + j);
            store(result + OTHERS * i + j, root(dx * dx + dy * dy + dz * dz));
        }
    }
}
