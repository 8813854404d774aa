void KERNEL(const double *restrict knots, const double *restrict values, const double *restrict x,
            double *restrict result) {
    for (int i = 0; i < 4096; i++) {
        int low = 0, high = 16;
        while (high - low > 1) {
            int middle = (low + high) / 2;
            if (x[i] < knots[middle]) {
                high = middle;
            } else {
                low = middle;
            }
        }
        double share = (x[i] - knots[low]) / (knots[high] - knots[low]);
        share = share < 0 ? 0 : share > 1 ? 1 : share;
        result[i] = values[low] + share * (values[high] - values[low]);
    }
}
