static int escape(double re, double im) {
    double x = 0, y = 0;
    int count = 0;
    while (count < 256 && x * x + y * y <= 4.0) {
        double next = x * x - y * y + re;
        y = 2.0 * x * y + im;
        x = next;
        count++;
    }
    return count;
}

void KERNEL(const double *restrict re, const double *restrict im, int32_t *restrict result) {
    for (int row = 0; row < 64; row++) {
        for (int col = 0; col < 96; col++) {
            result[row * 96 + col] = escape(re[col], im[row]);
        }
    }
}
