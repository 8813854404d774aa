#include "bench/harness/vector.h"

#define ALL(v, ...) __builtin_shufflevector(v, v, __VA_ARGS__)

/* Eight points are three vectors, in each of which the three axes come at other places. */
void KERNEL(const double *restrict x, const double *restrict origin, const double *restrict factor,
            const double *restrict weight, double *restrict result) {
    V8 from[3], by[3];
    for (int k = 0; k < 24; k++) {
        from[k / 8][k % 8] = origin[k % 3];
        by[k / 8][k % 8] = factor[k % 3];
    }
    for (int i = 0; i < 4096; i += 8, x += 24, result += 24) {
        V8 w = load8(weight + i);
        store8(result, (load8(x) - from[0]) * by[0] * ALL(w, 0, 0, 0, 1, 1, 1, 2, 2));
        store8(result + 8, (load8(x + 8) - from[1]) * by[1] * ALL(w, 2, 3, 3, 3, 4, 4, 4, 5));
        store8(result + 16, (load8(x + 16) - from[2]) * by[2] * ALL(w, 5, 5, 6, 6, 6, 7, 7, 7));
    }
}
