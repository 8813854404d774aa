void KERNEL(const double *restrict a, double *restrict result) {
    for (int m = 0; m < 512; m++, a += 9, result += 9) {
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                int r = (j + 1) % 3 * 3, s = (j + 2) % 3 * 3, c = (i + 1) % 3, d = (i + 2) % 3;
                result[i * 3 + j] = a[r + c] * a[s + d] - a[r + d] * a[s + c];
            }
        }
        double inverse = 1 / (a[0] * result[0] + a[1] * result[3] + a[2] * result[6]);
        for (int i = 0; i < 9; i++) {
            result[i] *= inverse;
        }
    }
}
