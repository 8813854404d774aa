void KERNEL(const double *restrict x, const double *restrict origin, const double *restrict factor,
            const double *restrict weight, double *restrict result) {
    for (int i = 0; i < 4096; i++) {
        for (int j = 0; j < 3; j++) {
            result[i * 3 + j] = (x[i * 3 + j] - origin[j]) * factor[j] * weight[i];
        }
    }
}
