#include "bench/harness/vector.h"

enum { N = 4194304 };

void KERNEL(double a, const double *restrict x, const double *restrict y, double *restrict result) {
    size_t i = 0;
    for (size_t first = until_aligned(result); i < first; i++) {
        result[i] = a * x[i] + y[i];
    }
    for (; i + LANES <= N; i += LANES) {
        stream(result + i, a * load(x + i) + load(y + i));
    }
    stream_end();
    for (; i < N; i++) {
        result[i] = a * x[i] + y[i];
    }
}
