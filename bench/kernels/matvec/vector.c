#include "bench/harness/transpose.h"

enum { N = 256, WAYS = 8 };

static V8 columns[N / 8];

/* Eight rows at once, for both products: the matrix passes by one time. */
static void rows(const double *restrict a, const double *restrict x, double *restrict result) {
    V8 sum[8] = {0};
    for (int j = 0; j < N; j += 8) {
        V8 right = load8(x + j), even = columns[j / 8], odd = {0};
        for (int r = 0; r < 8; r += 2) {
            V8 first = load8(a + r * N + j), second = load8(a + (r + 1) * N + j);
            sum[r] += first * right;
            sum[r + 1] += second * right;
            even += first * result[r];
            odd += second * result[r + 1];
        }
        columns[j / 8] = even + odd;
    }
    transpose8(sum);
    store8(result,
           ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7])));
}

void KERNEL(const double *restrict a, const double *restrict x, double *restrict result) {
    memset(columns, 0, sizeof(columns));
    memcpy(result, x, sizeof(double) * N);
    for (int i = 0; i < N; i += 8) {
        rows(a + i * N, x, result + i);
    }
    for (int j = 0; j < N; j += 8) {
        store8(result + j, load8(result + j) + columns[j / 8]);
    }
}
