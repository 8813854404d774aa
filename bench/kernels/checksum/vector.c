#include "bench/harness/transpose.h"

typedef uint32_t Row __attribute__((vector_size(64)));
typedef Row RowInMemory __attribute__((aligned(4), may_alias));

/* Sixteen rows of sixteen, their columns made vectors: pairs of uints move as one real first, then
   each column of pairs comes apart. */
static void columns(const uint32_t *x, Row column[16]) {
    V8 pairs[2][8];
    for (int half = 0; half < 2; half++) {
        for (int i = 0; i < 8; i++) {
            pairs[half][i] = (V8) * (const RowInMemory *)(x + (8 * half + i) * 16);
        }
        transpose8(pairs[half]);
    }
    for (int k = 0; k < 8; k++) {
        Row first = (Row)pairs[0][k], second = (Row)pairs[1][k];
        column[2 * k] = __builtin_shufflevector(first, second, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18,
                                                20, 22, 24, 26, 28, 30);
        column[2 * k + 1] = __builtin_shufflevector(first, second, 1, 3, 5, 7, 9, 11, 13, 15, 17,
                                                    19, 21, 23, 25, 27, 29, 31);
    }
}

void KERNEL(const uint32_t *restrict x, uint32_t *restrict result) {
    for (int i = 0; i < 1024; i += 16) {
        Row column[16], hash = 2166136261u - (Row){0};
        columns(x + i * 16, column);
        for (int k = 0; k < 16; k++) {
            hash = (hash ^ column[k]) * 16777619u;
        }
        *(RowInMemory *)(result + i) = hash;
    }
}
