#include "bench/harness/vector.h"

enum { ROWS = 256, N = 48, TALL = 8, WIDE = 3, COLS = WIDE * LANES };

/* Both operands are read along their rows, so that nothing has to be packed. */
static void tile(const double *restrict left, const double *restrict right, double *restrict to) {
    V sum[TALL][WIDE] = {0};
    for (int k = 0; k < ROWS; k++) {
        V row[WIDE];
        for (int w = 0; w < WIDE; w++) {
            row[w] = load(right + k * N + w * LANES);
        }
        for (int r = 0; r < TALL; r++) {
            for (int w = 0; w < WIDE; w++) {
                sum[r][w] += left[k * N + r] * row[w];
            }
        }
    }
    for (int r = 0; r < TALL; r++) {
        for (int w = 0; w < WIDE; w++) {
            store(to + r * N + w * LANES, sum[r][w] * (1.0 / ROWS));
        }
    }
}

/* The lower tiles are computed as well: they cost less than to mirror the upper ones. */
void KERNEL(const double *restrict x, double *restrict result) {
    for (int j = 0; j < N; j += COLS) {
        for (int i = 0; i < N; i += TALL) {
            tile(x + i, x + j, result + i * N + j);
        }
    }
}
