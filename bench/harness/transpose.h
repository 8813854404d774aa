/* A block of 8 by 8 reals, its rows made its columns. */
#ifndef BENCH_HARNESS_TRANSPOSE_H
#define BENCH_HARNESS_TRANSPOSE_H

#include "bench/harness/vector.h"

#define PAIRS(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)

/* Exchanges neighbours, then pairs, then halves. */
static inline void transpose8(V8 r[8]) {
    V8 a[8], b[8];
    for (int i = 0; i < 8; i += 2) {
        a[i] = PAIRS(r[i], r[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        a[i + 1] = PAIRS(r[i], r[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
    for (int i = 0; i < 8; i += 4) {
        for (int k = 0; k < 2; k++) {
            b[i + k] = PAIRS(a[i + k], a[i + k + 2], 0, 1, 8, 9, 4, 5, 12, 13);
            b[i + k + 2] = PAIRS(a[i + k], a[i + k + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    }
    for (int k = 0; k < 4; k++) {
        r[k] = PAIRS(b[k], b[k + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        r[k + 4] = PAIRS(b[k], b[k + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

static inline void stream8(double *p, V8 v) {
    V parts[8 / LANES];
    memcpy(parts, &v, sizeof(parts));
    for (int i = 0; i < 8 / LANES; i++) {
        stream(p + i * LANES, parts[i]);
    }
}

#endif
