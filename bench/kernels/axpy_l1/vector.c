#include "bench/harness/vector.h"

void KERNEL(double a, const double *restrict x, const double *restrict y, double *restrict result) {
    for (int i = 0; i < 1024; i += 2 * LANES) {
        V low = a * load(x + i) + load(y + i);
        V high = a * load(x + i + LANES) + load(y + i + LANES);
        store(result + i, low);
        store(result + i + LANES, high);
    }
}
