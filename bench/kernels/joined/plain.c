enum { N = 128 };

void KERNEL(const double *restrict x, double *restrict result) {
    for (int i = 0; i < N; i++) {
        const double *from = x + (N - 1 - i) * N;
        for (int j = 0; j < N / 2; j++) {
            result[i * N + j] = from[2 * j];
            result[i * N + N / 2 + j] = from[2 * j + 1];
        }
    }
}
