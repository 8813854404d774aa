void KERNEL(const double *restrict x, double *restrict result) {
    for (int j = 0; j < 256; j++) {
        result[j] = 0;
    }
    for (int i = 0; i < 256; i++) {
        for (int j = 0; j < 256; j++) {
            result[j] += x[i * 256 + j];
        }
    }
}
