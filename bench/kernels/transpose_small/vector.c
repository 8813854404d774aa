#include "bench/harness/transpose.h"

/* Each pair of blocks, once. */
void KERNEL(const double *restrict x, double *restrict result) {
    for (int i = 0; i < 64; i += 8) {
        for (int j = 0; j <= i; j += 8) {
            V8 low[8], high[8];
            for (int k = 0; k < 8; k++) {
                low[k] = load8(x + (i + k) * 64 + j);
                high[k] = load8(x + (j + k) * 64 + i);
            }
            transpose8(high);
            for (int k = 0; k < 8; k++) {
                low[k] = 0.5 * (low[k] - high[k]);
                store8(result + (i + k) * 64 + j, low[k]);
            }
            transpose8(low);
            for (int k = 0; k < 8 && j < i; k++) {
                store8(result + (j + k) * 64 + i, -low[k]);
            }
        }
    }
}
