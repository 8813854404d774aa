void KERNEL(const double *restrict x, double *restrict result) {
    for (int i = 0; i < 256; i++) {
        double sum = 0;
        for (int j = 0; j < 256; j++) {
            sum += x[i * 256 + j];
        }
        result[i] = sum;
    }
}
