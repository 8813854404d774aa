#include "bench/harness/vector.h"

void KERNEL(const double *restrict x, const double *restrict row, const double *restrict column,
            double *restrict result) {
    for (int i = 0; i < 256; i++) {
        for (int j = 0; j < 256; j += 2 * LANES) {
            const double *from = x + i * 256 + j;
            V low = load(from) * load(row + j) + column[i];
            V high = load(from + LANES) * load(row + j + LANES) + column[i];
            store(result + i * 256 + j, low);
            store(result + i * 256 + j + LANES, high);
        }
    }
}
