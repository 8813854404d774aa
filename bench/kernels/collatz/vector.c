#include "bench/harness/vector.h"

enum { WAYS = 2 };

static int any(Uints m) {
    uint32_t all = 0;
    for (int i = 0; i < 2 * LANES; i++) {
        all |= m[i];
    }
    return all != 0;
}

void KERNEL(const uint32_t *restrict x, int32_t *restrict result) {
    for (int i = 0; i < 2048; i += WAYS * 2 * LANES) {
        Uints v[WAYS], open[WAYS], some = {0};
        Ints count[WAYS] = {0};
        for (int w = 0; w < WAYS; w++) {
            v[w] = load_uint(x + i + w * 2 * LANES);
            open[w] = (Uints)(v[w] > 1);
            some |= open[w];
        }
        while (any(some)) {
            some = (Uints){0};
            for (int w = 0; w < WAYS; w++) {
                Uints odd = -(v[w] & 1), half = v[w] >> 1, next = 3 * v[w] + 1;
                count[w] -= (Ints)open[w];
                v[w] = (open[w] & ((odd & next) | (~odd & half))) | (~open[w] & v[w]);
                open[w] = (Uints)(v[w] > 1);
                some |= open[w];
            }
        }
        for (int w = 0; w < WAYS; w++) {
            store_int(result + i + w * 2 * LANES, count[w]);
        }
    }
}
