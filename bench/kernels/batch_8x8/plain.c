enum { N = 8 };

void KERNEL(const double *restrict a, const double *restrict b, double *restrict result) {
    for (int m = 0; m < 256; m++, a += N * N, b += N * N, result += N * N) {
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < N; j++) {
                double sum = 0;
                for (int k = 0; k < N; k++) {
                    sum += a[i * N + k] * b[k * N + j];
                }
                result[i * N + j] = sum;
            }
        }
    }
}
