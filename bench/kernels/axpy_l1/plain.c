void KERNEL(double a, const double *restrict x, const double *restrict y, double *restrict result) {
    for (int i = 0; i < 1024; i++) {
        result[i] = a * x[i] + y[i];
    }
}
