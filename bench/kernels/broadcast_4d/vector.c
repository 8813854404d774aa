#include "bench/harness/vector.h"

enum { WIDTH = 48, ROWS = 32, WAYS = WIDTH / LANES };

/* A row of the result is whole vectors long: where it is not aligned, none is. */
static void plane(const double *restrict a, const double *restrict b, const double *restrict c,
                  double *restrict result) {
    int aligned = until_aligned(result) == 0;
    V right[WAYS];
    for (int w = 0; w < WAYS; w++) {
        right[w] = load(b + w * LANES);
    }
    for (int k = 0; k < ROWS; k++) {
        for (int w = 0; w < WAYS; w++) {
            V v = a[k] * right[w] + load(c + k * WIDTH + w * LANES);
            if (aligned) {
                stream(result + k * WIDTH + w * LANES, v);
            } else {
                store(result + k * WIDTH + w * LANES, v);
            }
        }
    }
}

void KERNEL(const double *restrict a, const double *restrict b, const double *restrict c,
            double *restrict result) {
    for (int i = 0; i < 32; i++) {
        for (int j = 0; j < 24; j++) {
            plane(a + i * ROWS, b + j * WIDTH, c, result + (i * 24 + j) * ROWS * WIDTH);
        }
    }
    stream_end();
}
