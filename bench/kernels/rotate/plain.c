void KERNEL(const double *restrict r, const double *restrict x, double *restrict result) {
    for (int i = 0; i < 2048; i++, x += 3, result += 3) {
        for (int j = 0; j < 3; j++) {
            result[j] = r[3 * j] * x[0] + r[3 * j + 1] * x[1] + r[3 * j + 2] * x[2];
        }
    }
}
