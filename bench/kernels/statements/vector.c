#include "bench/harness/vector.h"

static V at(const double *x, const double *y, const double *z) {
    V a = load(x), b = load(y);
    V shifted = (a + b) * (a - b) + 0.5 * load(z);
    return shifted * shifted - a;
}

void KERNEL(const double *restrict x, const double *restrict y, const double *restrict z,
            double *restrict result) {
    for (int i = 0; i < 16384; i += 2 * LANES) {
        V low = at(x + i, y + i, z + i);
        V high = at(x + i + LANES, y + i + LANES, z + i + LANES);
        store(result + i, low);
        store(result + i + LANES, high);
    }
}
