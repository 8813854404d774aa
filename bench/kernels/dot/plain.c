void KERNEL(const double *restrict x, const double *restrict y, double *restrict result) {
    double products = 0, squares = 0;
    for (int i = 0; i < 4096; i++) {
        products += x[i] * y[i];
        squares += x[i] * x[i];
    }
    *result = products + squares;
}
