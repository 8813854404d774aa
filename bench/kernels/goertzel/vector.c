#include "bench/harness/vector.h"

#include <math.h>

enum { N = 8, WAYS = N / LANES, BLOCK = 64, STEPS = 2048 };

/* A loop for each block: its steps write what the block before has left. */
void KERNEL(const double *restrict u, double *restrict y) {
    V factor[WAYS], power[WAYS] = {{0}};
    for (int i = 0; i < N; i++) {
        factor[i / LANES][i % LANES] = 2.0 * cos(2.0 * M_PI * (i + 1) / BLOCK);
    }
    for (int block = 0; block < STEPS / BLOCK; block++) {
        V s1[WAYS] = {{0}}, s2[WAYS] = {{0}};
        for (int step = 0; step < BLOCK; step++, u++, y += N) {
            for (int i = 0; i < WAYS; i++) {
                V s0 = (factor[i] * s1[i] - s2[i]) + *u;
                s2[i] = s1[i];
                s1[i] = s0;
                store(y + i * LANES, power[i]);
            }
        }
        for (int i = 0; i < WAYS; i++) {
            power[i] = s1[i] * s1[i] + s2[i] * s2[i] - factor[i] * s1[i] * s2[i];
            store(y - N + i * LANES, power[i]);
        }
    }
}
