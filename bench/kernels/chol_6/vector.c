#include "bench/harness/lanes.h"

enum { N = 6 };

void KERNEL(const double *restrict a, double *restrict result) {
    for (int m = 0; m < 256; m += 8) {
        V8 l[N * N];
        to_lanes(a + m * N * N, N * N, l);
        for (int j = 0; j < N; j++) {
            V8 inverse = 1.0 / root8(l[j * N + j]);
            for (int i = 0; i < N; i++) {
                l[i * N + j] = i < j ? (V8){0} : l[i * N + j] * inverse;
            }
            for (int k = j + 1; k < N; k++) {
                for (int i = k; i < N; i++) {
                    l[i * N + k] -= l[i * N + j] * l[k * N + j];
                }
            }
        }
        from_lanes(l, N * N, result + m * N * N);
    }
}
