enum { N = 128, M = 64 };

void KERNEL(const double *restrict x, double *restrict result) {
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < M; j++) {
            for (int k = 0; k < N; k++) {
                result[(i * M + j) * N + k] = x[(k * M + j) * N + i];
            }
        }
    }
}
