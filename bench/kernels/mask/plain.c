void KERNEL(const double *restrict x, const double *restrict y, const uint8_t *restrict on,
            double *restrict result) {
    for (int i = 0; i < 16384; i++) {
        double yes = x[i] - y[i], no = 0.5 * x[i];
        result[i] = ((on[i] != 0) & (x[i] > y[i])) ? yes : no;
    }
}
