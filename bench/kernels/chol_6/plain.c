#include <math.h>

enum { N = 6 };

static void factor(const double *restrict a, double *restrict l) {
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            double sum = a[i * N + j];
            for (int k = 0; k < j && j <= i; k++) {
                sum -= l[i * N + k] * l[j * N + k];
            }
            l[i * N + j] = j > i ? 0 : j == i ? sqrt(sum) : sum / l[j * N + j];
        }
    }
}

void KERNEL(const double *restrict a, double *restrict result) {
    for (int m = 0; m < 256; m++) {
        factor(a + m * N * N, result + m * N * N);
    }
}
