#include "bench/harness/vector.h"

enum { N = 8192, WAYS = 4 };

/* The greatest first, then the first place where it stands. */
void KERNEL(const double *restrict x, int32_t *restrict result) {
    V greatest[2 * WAYS];
    for (int w = 0; w < 2 * WAYS; w++) {
        greatest[w] = load(x);
    }
    for (int i = 0; i < N; i += 2 * WAYS * LANES) {
        for (int w = 0; w < 2 * WAYS; w++) {
            V v = load(x + i + w * LANES);
            greatest[w] = choose(v > greatest[w], v, greatest[w]);
        }
    }
    double best = x[0];
    for (int w = 0; w < 2 * WAYS; w++) {
        for (int i = 0; i < LANES; i++) {
            best = greatest[w][i] > best ? greatest[w][i] : best;
        }
    }
    int at = 0;
    for (; at < N; at += WAYS * LANES) {
        Mask same = {0};
        for (int w = 0; w < WAYS; w++) {
            same |= load(x + at + w * LANES) == best;
        }
        int64_t any = 0;
        for (int i = 0; i < LANES; i++) {
            any |= same[i];
        }
        if (any != 0) {
            break;
        }
    }
    while (at < N && x[at] != best) {
        at++;
    }
    *result = at < N ? at : 0;
}
