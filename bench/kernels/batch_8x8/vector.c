#include "bench/harness/vector.h"

enum { N = 8 };

void KERNEL(const double *restrict a, const double *restrict b, double *restrict result) {
    for (int m = 0; m < 256; m++, a += N * N, b += N * N, result += N * N) {
        V8 right[N];
        for (int k = 0; k < N; k++) {
            right[k] = load8(b + k * N);
        }
        for (int i = 0; i < N; i++) {
            V8 even = a[i * N] * right[0], odd = a[i * N + 1] * right[1];
            for (int k = 2; k < N; k += 2) {
                even += a[i * N + k] * right[k];
                odd += a[i * N + k + 1] * right[k + 1];
            }
            store8(result + i * N, even + odd);
        }
    }
}
