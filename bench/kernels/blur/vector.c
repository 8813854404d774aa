#include "bench/harness/vector.h"

enum { N = 256, M = N - 2 };

static V along(const double *x) {
    return load(x) + 2 * load(x + 1) + load(x + 2);
}

/* Down a strip of two vectors; the sums along three rows stay in registers. */
static void strip(const double *restrict x, double *restrict result) {
    V above[2], here[2];
    for (int w = 0; w < 2; w++) {
        above[w] = along(x + w * LANES);
        here[w] = along(x + N + w * LANES);
    }
    for (int i = 0; i < M; i++) {
        for (int w = 0; w < 2; w++) {
            V below = along(x + (i + 2) * N + w * LANES);
            store(result + i * M + w * LANES, (above[w] + 2 * here[w] + below) * (1 / 16.0));
            above[w] = here[w];
            here[w] = below;
        }
    }
}

void KERNEL(const double *restrict x, double *restrict result) {
    for (int j = 0; j + 2 * LANES <= M; j += 2 * LANES) {
        strip(x + j, result + j);
    }
    strip(x + M - 2 * LANES, result + M - 2 * LANES);
}
