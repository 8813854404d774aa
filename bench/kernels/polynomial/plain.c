void KERNEL(const double *restrict c, const double *restrict x, double *restrict result) {
    for (int i = 0; i < 2048; i++) {
        double value = c[7];
        for (int k = 6; k >= 0; k--) {
            value = value * x[i] + c[k];
        }
        result[i] = value;
    }
}
