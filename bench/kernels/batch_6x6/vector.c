#include "bench/harness/vector.h"

enum { N = 6 };

/* A row is a vector whose last two lanes belong to the next one, which is written later. */
void KERNEL(const double *restrict a, const double *restrict b, double *restrict result) {
    for (int m = 0; m < 512; m++, a += N * N, b += N * N, result += N * N) {
        V8 right[N], end = load8(b + 28);
        for (int k = 0; k + 1 < N; k++) {
            right[k] = load8(b + k * N);
        }
        right[N - 1] = __builtin_shufflevector(end, end, 2, 3, 4, 5, 6, 7, 6, 7);
        for (int i = 0; i < N; i++) {
            const double *left = a + i * N;
            V8 even = left[0] * right[0], odd = left[1] * right[1];
            even += left[2] * right[2];
            odd += left[3] * right[3];
            even += left[4] * right[4];
            odd += left[5] * right[5];
            V8 row = even + odd;
            if (i + 1 < N) {
                store8(result + i * N, row);
            } else {
                store4(result + i * N, __builtin_shufflevector(row, row, 0, 1, 2, 3));
                store2(result + i * N + 4, __builtin_shufflevector(row, row, 4, 5));
            }
        }
    }
}
