#include "bench/harness/transpose.h"

enum { LONG = 128, SHORT = 64 };

void KERNEL(const double *restrict x, double *restrict result) {
    for (int j = 0; j < SHORT; j++) {
        for (int k = 0; k < LONG; k += 8) {
            for (int i = 0; i < LONG; i += 8) {
                V8 block[8];
                for (int r = 0; r < 8; r++) {
                    block[r] = load8(x + ((k + r) * SHORT + j) * LONG + i);
                }
                transpose8(block);
                for (int r = 0; r < 8; r++) {
                    stream8(result + ((i + r) * SHORT + j) * LONG + k, block[r]);
                }
            }
        }
    }
    stream_end();
}
