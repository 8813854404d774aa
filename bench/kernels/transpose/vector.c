#include "bench/harness/transpose.h"

enum { N = 2048 };

static void column(const double *restrict x, double *restrict result, int j) {
    for (int i = 0; i < N; i++) {
        result[i * N + j] = x[j * N + i];
    }
}

/* Reads eight rows from left to right, and writes whole lines past the caches. */
void KERNEL(const double *restrict x, double *restrict result) {
    int first = (int)until_aligned(result), j = first;
    for (int k = 0; k < first; k++) {
        column(x, result, k);
    }
    for (; j + 8 <= N; j += 8) {
        for (int i = 0; i < N; i += 8) {
            V8 block[8];
            for (int k = 0; k < 8; k++) {
                block[k] = load8(x + (j + k) * N + i);
            }
            transpose8(block);
            for (int k = 0; k < 8; k++) {
                stream8(result + (i + k) * N + j, block[k]);
            }
        }
    }
    stream_end();
    for (; j < N; j++) {
        column(x, result, j);
    }
}
