#include "bench/harness/vector.h"

typedef int32_t Half __attribute__((vector_size(4 * LANES)));
typedef Half HalfInMemory __attribute__((aligned(4), may_alias));

/* A quotient of doubles, cut off, is that of 32-bit integers. */
void KERNEL(const int32_t *restrict x, const int32_t *restrict y, int32_t *restrict result) {
    for (int i = 0; i < 8192; i += LANES) {
        Half a = *(const HalfInMemory *)(x + i), b = *(const HalfInMemory *)(y + i);
        V exact = __builtin_convertvector(a, V) / __builtin_convertvector(b, V);
        Half quotient = __builtin_convertvector(exact, Half);
        *(HalfInMemory *)(result + i) = 31 * quotient + (a - quotient * b);
    }
}
