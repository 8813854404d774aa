#include "bench/harness/vector.h"

enum { WAYS = 48 / LANES };

static void plane(const double *restrict a, const double *restrict b, const double *restrict c,
                  double *restrict result) {
    V right[WAYS];
    for (int w = 0; w < WAYS; w++) {
        right[w] = load(b + w * LANES);
    }
    for (int k = 0; k < 32; k++) {
        for (int w = 0; w < WAYS; w++) {
            stream(result + k * 48 + w * LANES, a[k] * right[w] + load(c + k * 48 + w * LANES));
        }
    }
}

/* The result is aligned here; a general one would need the ends of each plane one by one. */
void KERNEL(const double *restrict a, const double *restrict b, const double *restrict c,
            double *restrict result) {
    for (int i = 0; i < 32; i++) {
        for (int j = 0; j < 24; j++) {
            plane(a + i * 32, b + j * 48, c, result + (i * 24 + j) * 32 * 48);
        }
    }
    stream_end();
}
