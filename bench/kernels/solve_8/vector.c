#include "bench/harness/lanes.h"

enum { N = 8 };

void KERNEL(const double *restrict a, const double *restrict b, double *restrict result) {
    for (int m = 0; m < 128; m += 8) {
        V8 matrix[N * N], x[N];
        to_lanes(a + m * N * N, N * N, matrix);
        to_lanes(b + m * N, N, x);
        solve_lanes(N, matrix, x);
        from_lanes(x, N, result + m * N);
    }
}
