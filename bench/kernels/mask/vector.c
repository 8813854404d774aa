#include "bench/harness/vector.h"

void KERNEL(const double *restrict x, const double *restrict y, const uint8_t *restrict on,
            double *restrict result) {
    for (int i = 0; i < 16384; i += LANES) {
        V a = load(x + i), b = load(y + i);
        Mask inside = -__builtin_convertvector(load_bytes(on + i), Mask) & (a > b);
        store(result + i, choose(inside, a - b, 0.5 * a));
    }
}
