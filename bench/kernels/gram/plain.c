enum { ROWS = 256, N = 48 };

void KERNEL(const double *restrict x, double *restrict result) {
    for (int i = 0; i < N * N; i++) {
        result[i] = 0;
    }
    for (int k = 0; k < ROWS; k++) {
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < N; j++) {
                result[i * N + j] += x[k * N + i] * x[k * N + j];
            }
        }
    }
    for (int i = 0; i < N * N; i++) {
        result[i] /= ROWS;
    }
}
