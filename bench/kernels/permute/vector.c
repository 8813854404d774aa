#include "bench/harness/transpose.h"

enum { LONG = 128, SHORT = 64, STEP = SHORT * LONG };

static void column(const double *restrict x, double *restrict result, int k) {
    for (int i = 0; i < LONG; i++) {
        result[i * STEP + k] = x[k * STEP + i];
    }
}

/* One of the SHORT transposes; rows of both are STEP apart. */
static void plane(const double *restrict x, double *restrict result) {
    int first = (int)until_aligned(result), k = first;
    for (int edge = 0; edge < first; edge++) {
        column(x, result, edge);
    }
    for (; k + 8 <= LONG; k += 8) {
        for (int i = 0; i < LONG; i += 8) {
            V8 block[8];
            for (int r = 0; r < 8; r++) {
                block[r] = load8(x + (k + r) * STEP + i);
            }
            transpose8(block);
            for (int r = 0; r < 8; r++) {
                stream8(result + (i + r) * STEP + k, block[r]);
            }
        }
    }
    for (; k < LONG; k++) {
        column(x, result, k);
    }
}

void KERNEL(const double *restrict x, double *restrict result) {
    for (int j = 0; j < SHORT; j++) {
        plane(x + j * LONG, result + j * LONG);
    }
    stream_end();
}
