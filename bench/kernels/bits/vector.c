#include "bench/harness/vector.h"

void KERNEL(const uint32_t *restrict x, uint32_t *restrict result) {
    for (int i = 0; i < 65536; i += 2 * LANES) {
        Uints v = load_uint(x + i);
        v ^= v << 13;
        v ^= v >> 17;
        v ^= v << 5;
        store_uint(result + i, (v & 0xFF00FF00u) >> 8 | (v & 0x00FF00FFu) << 8);
    }
}
