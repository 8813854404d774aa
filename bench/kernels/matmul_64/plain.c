enum { N = 64 };

void KERNEL(const double *restrict a, const double *restrict b, double *restrict result) {
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            result[i * N + j] = 0;
        }
        for (int k = 0; k < N; k++) {
            for (int j = 0; j < N; j++) {
                result[i * N + j] += a[i * N + k] * b[k * N + j];
            }
        }
    }
}
