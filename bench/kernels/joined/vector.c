#include "bench/harness/vector.h"

enum { N = 128 };

void KERNEL(const double *restrict x, double *restrict result) {
    for (int i = 0; i < N; i++) {
        const double *from = x + (N - 1 - i) * N;
        for (int j = 0; j < N / 2; j += 8) {
            V8 a = load8(from + 2 * j), b = load8(from + 2 * j + 8);
            store8(result + i * N + j, __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14));
            store8(result + i * N + N / 2 + j,
                   __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15));
        }
    }
}
