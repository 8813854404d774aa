#include "bench/harness/vector.h"

#define PART(v, a, b) __builtin_shufflevector(v, v, a, a, a, a, b, b, b, b)

static V8 twice(const double *row) {
    V4 v = load4(row);
    return __builtin_shufflevector(v, v, 0, 1, 2, 3, 0, 1, 2, 3);
}

static V8 rows(V8 left, const V8 right[4]) {
    return (PART(left, 0, 4) * right[0] + PART(left, 1, 5) * right[1]) +
           (PART(left, 2, 6) * right[2] + PART(left, 3, 7) * right[3]);
}

/* Two rows at once. */
void KERNEL(const double *restrict a, const double *restrict b, double *restrict result) {
    for (int m = 0; m < 1024; m++, a += 16, b += 16, result += 16) {
        V8 right[4];
        for (int k = 0; k < 4; k++) {
            right[k] = twice(b + 4 * k);
        }
        V8 top = rows(load8(a), right), bottom = rows(load8(a + 8), right);
        store8(result, top);
        store8(result + 8, bottom);
    }
}
