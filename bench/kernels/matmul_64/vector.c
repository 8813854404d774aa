#include "bench/harness/vector.h"

enum { N = 64, ROWS = 8, WIDE = 2 };

static void tile(const double *restrict a, const double *restrict b, double *restrict result) {
    V sum[ROWS][WIDE] = {0};
    for (int k = 0; k < N; k++) {
        V right[WIDE];
        for (int w = 0; w < WIDE; w++) {
            right[w] = load(b + k * N + w * LANES);
        }
        for (int r = 0; r < ROWS; r++) {
            for (int w = 0; w < WIDE; w++) {
                sum[r][w] += a[r * N + k] * right[w];
            }
        }
    }
    for (int r = 0; r < ROWS; r++) {
        for (int w = 0; w < WIDE; w++) {
            store(result + r * N + w * LANES, sum[r][w]);
        }
    }
}

void KERNEL(const double *restrict a, const double *restrict b, double *restrict result) {
    for (int j = 0; j < N; j += WIDE * LANES) {
        for (int i = 0; i < N; i += ROWS) {
            tile(a + i * N, b + j, result + i * N + j);
        }
    }
}
