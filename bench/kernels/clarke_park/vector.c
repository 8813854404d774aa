#include "bench/harness/vector.h"

enum { N = 1024 };

void KERNEL(const double *restrict phases, const double *restrict angle, double *restrict result) {
    for (int i = 0; i < N; i += LANES) {
        V a = load(phases + i), b = load(phases + N + i), c = load(phases + 2 * N + i);
        V alpha = (2 * a - b - c) * (1 / 3.0), beta = (b - c) * sqrt(1 / 3.0);
        V s = VECTOR_FUNCTION(sin)(load(angle + i)), k = VECTOR_FUNCTION(cos)(load(angle + i));
        store(result + i, alpha * k + beta * s);
        store(result + N + i, beta * k - alpha * s);
    }
}
