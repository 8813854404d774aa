#include "bench/harness/vector.h"

enum { N = 2048 };

static void row(double x, const double *restrict y, double *restrict result) {
    size_t j = 0;
    for (size_t first = until_aligned(result); j < first; j++) {
        result[j] = x * y[j];
    }
    for (; j + LANES <= N; j += LANES) {
        stream(result + j, x * load(y + j));
    }
    for (; j < N; j++) {
        result[j] = x * y[j];
    }
}

void KERNEL(const double *restrict x, const double *restrict y, double *restrict result) {
    for (int i = 0; i < N; i++) {
        row(x[i], y, result + i * N);
    }
    stream_end();
}
