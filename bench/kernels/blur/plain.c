enum { N = 256, M = N - 2 };

void KERNEL(const double *restrict x, double *restrict result) {
    for (int i = 0; i < M; i++) {
        for (int j = 0; j < M; j++) {
            double sum[3];
            for (int k = 0; k < 3; k++) {
                const double *at = x + (i + k) * N + j;
                sum[k] = at[0] + 2 * at[1] + at[2];
            }
            result[i * M + j] = (sum[0] + 2 * sum[1] + sum[2]) / 16;
        }
    }
}
