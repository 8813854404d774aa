void KERNEL(const double *restrict x, const double *restrict row, const double *restrict column,
            double *restrict result) {
    for (int i = 0; i < 256; i++) {
        for (int j = 0; j < 256; j++) {
            result[i * 256 + j] = x[i * 256 + j] * row[j] + column[i];
        }
    }
}
