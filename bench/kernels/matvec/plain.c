enum { N = 256 };

void KERNEL(const double *restrict a, const double *restrict x, double *restrict result) {
    for (int i = 0; i < N; i++) {
        double sum = 0;
        for (int k = 0; k < N; k++) {
            sum += a[i * N + k] * x[k];
        }
        result[i] = sum;
    }
    for (int k = 0; k < N; k++) {
        for (int j = 0; j < N; j++) {
            result[j] += x[k] * a[k * N + j];
        }
    }
}
