void KERNEL(const double *restrict a, const double *restrict b, const double *restrict c,
            double *restrict result) {
    for (int i = 0; i < 32; i++) {
        for (int j = 0; j < 24; j++) {
            for (int k = 0; k < 32; k++) {
                for (int l = 0; l < 48; l++) {
                    *result++ = a[i * 32 + k] * b[j * 48 + l] + c[k * 48 + l];
                }
            }
        }
    }
}
