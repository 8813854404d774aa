void KERNEL(const double *restrict x, const double *restrict y, const double *restrict z,
            double *restrict result) {
    for (int i = 0; i < 16384; i++) {
        double shifted = (x[i] + y[i]) * (x[i] - y[i]) + 0.5 * z[i];
        result[i] = shifted * shifted - x[i];
    }
}
