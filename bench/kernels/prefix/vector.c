#include "bench/harness/vector.h"

enum { ROWS = 128, COLS = 256, WAYS = 4 };

#define SHIFTED(v, ...) __builtin_shufflevector(v, (V8){0}, __VA_ARGS__)

static V8 sums_in(V8 v) {
    v += SHIFTED(v, 8, 0, 1, 2, 3, 4, 5, 6);
    v += SHIFTED(v, 8, 8, 0, 1, 2, 3, 4, 5);
    v += SHIFTED(v, 8, 8, 8, 8, 0, 1, 2, 3);
    return v;
}

/* Several rows at once, for each vector waits for the sum of the one before. */
void KERNEL(const double *restrict x, double *restrict result) {
    for (int i = 0; i < ROWS; i += WAYS) {
        V8 carry[WAYS] = {0};
        for (int j = 0; j < COLS; j += 8) {
            for (int w = 0; w < WAYS; w++) {
                V8 sums = carry[w] + sums_in(load8(x + (i + w) * COLS + j));
                store8(result + (i + w) * COLS + j, sums);
                carry[w] = __builtin_shufflevector(sums, sums, 7, 7, 7, 7, 7, 7, 7, 7);
            }
        }
    }
}
