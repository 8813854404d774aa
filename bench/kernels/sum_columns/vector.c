#include "bench/harness/vector.h"

enum { WAYS = 8 };

/* WAYS vectors side by side stay in registers while all rows pass. */
void KERNEL(const double *restrict x, double *restrict result) {
    for (int j = 0; j < 256; j += WAYS * LANES) {
        V sum[WAYS] = {0};
        for (int i = 0; i < 256; i++) {
            for (int w = 0; w < WAYS; w++) {
                sum[w] += load(x + i * 256 + j + w * LANES);
            }
        }
        for (int w = 0; w < WAYS; w++) {
            store(result + j + w * LANES, sum[w]);
        }
    }
}
