void KERNEL(const double *restrict knots, const double *restrict values, const double *restrict x,
            double *restrict result) {
    for (int i = 0; i < 4096; i++) {
        int k = 0;
        while (k < 7 && x[i] >= knots[k + 1]) {
            k++;
        }
        double share = (x[i] - knots[k]) / (knots[k + 1] - knots[k]);
        share = share < 0 ? 0 : share > 1 ? 1 : share;
        result[i] = values[k] + share * (values[k + 1] - values[k]);
    }
}
