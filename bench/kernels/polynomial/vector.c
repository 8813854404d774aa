#include "bench/harness/vector.h"

enum { WAYS = 4 };

void KERNEL(const double *restrict c, const double *restrict x, double *restrict result) {
    V k[8];
    for (int j = 0; j < 8; j++) {
        k[j] = splat(c[j]);
    }
    for (int i = 0; i < 2048; i += WAYS * LANES) {
        V at[WAYS], value[WAYS];
        for (int w = 0; w < WAYS; w++) {
            at[w] = load(x + i + w * LANES);
            value[w] = k[7] * at[w] + k[6];
        }
        for (int j = 5; j >= 0; j--) {
            for (int w = 0; w < WAYS; w++) {
                value[w] = value[w] * at[w] + k[j];
            }
        }
        for (int w = 0; w < WAYS; w++) {
            store(result + i + w * LANES, value[w]);
        }
    }
}
