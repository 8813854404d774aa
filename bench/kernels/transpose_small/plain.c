void KERNEL(const double *restrict x, double *restrict result) {
    for (int i = 0; i < 64; i++) {
        for (int j = 0; j < 64; j++) {
            result[i * 64 + j] = 0.5 * (x[i * 64 + j] - x[j * 64 + i]);
        }
    }
}
