enum { N = 2048 };

void KERNEL(const double *restrict x, double *restrict result) {
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            result[i * N + j] = x[j * N + i];
        }
    }
}
