#include "bench/harness/vector.h"

enum { WAYS = 4 };

void KERNEL(const double *restrict x, double *restrict result) {
    for (int i = 0; i < 256; i++, x += 256) {
        V sum[WAYS] = {0};
        for (int j = 0; j < 256; j += WAYS * LANES) {
            for (int w = 0; w < WAYS; w++) {
                sum[w] += load(x + j + w * LANES);
            }
        }
        result[i] = total((sum[0] + sum[1]) + (sum[2] + sum[3]));
    }
}
