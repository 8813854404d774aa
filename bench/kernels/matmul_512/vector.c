#include "bench/harness/vector.h"

/* Goto's scheme: a tile of the result stays in registers while a panel of `a` and one of `b`,
   packed so that they are read from front to back, pass by. */
enum {
    N = 512,
    ROWS = 8,
    WIDE = 3,
    COLS = WIDE * LANES,
    PANELS = (N + COLS - 1) / COLS,
    DEEP = 192
};

static double panel_a[N * DEEP] __attribute__((aligned(64)));
static double panel_b[DEEP * COLS] __attribute__((aligned(64)));

static void pack_a(const double *a, int deep) {
    for (int i = 0; i < N; i += ROWS) {
        for (int k = 0; k < deep; k++) {
            for (int r = 0; r < ROWS; r++) {
                panel_a[i * deep + k * ROWS + r] = a[(i + r) * N + k];
            }
        }
    }
}

static void pack_b(const double *b, int deep, int cols) {
    for (int k = 0; k < deep; k++) {
        for (int c = 0; c < COLS; c++) {
            panel_b[k * COLS + c] = c < cols ? b[k * N + c] : 0;
        }
    }
}

static void tile(const double *restrict a, int deep, double *restrict result, int cols, int first) {
    V sum[ROWS][WIDE] = {0};
    const double *b = panel_b;
    for (int k = 0; k < deep; k++, a += ROWS, b += COLS) {
        V right[WIDE];
        for (int w = 0; w < WIDE; w++) {
            right[w] = load(b + w * LANES);
        }
        for (int r = 0; r < ROWS; r++) {
            for (int w = 0; w < WIDE; w++) {
                sum[r][w] += a[r] * right[w];
            }
        }
    }
    for (int r = 0; r < ROWS; r++) {
        for (int w = 0; w * LANES < cols; w++) {
            double *to = result + r * N + w * LANES;
            store(to, first ? sum[r][w] : sum[r][w] + load(to));
        }
    }
}

void KERNEL(const double *restrict a, const double *restrict b, double *restrict result) {
    for (int k = 0; k < N; k += DEEP) {
        int deep = N - k < DEEP ? N - k : DEEP;
        pack_a(a + k, deep);
        for (int j = 0; j < N; j += COLS) {
            int cols = N - j < COLS ? N - j : COLS;
            pack_b(b + k * N + j, deep, cols);
            for (int i = 0; i < N; i += ROWS) {
                tile(panel_a + i * deep, deep, result + i * N + j, cols, k == 0);
            }
        }
    }
}
