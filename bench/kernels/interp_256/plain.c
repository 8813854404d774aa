enum { N = 256, POINTS = 4096 };

void KERNEL(const double *restrict x, const double *restrict xs, const double *restrict ys,
            double *restrict result) {
    for (int i = 0; i < POINTS; i++) {
        double v = x[i];
        if (!(v > xs[0])) {
            result[i] = v != v ? v : ys[0];
            continue;
        }
        if (v >= xs[N - 1]) {
            result[i] = ys[N - 1];
            continue;
        }
        int low = 0, high = N - 1;
        while (high - low > 1) {
            int middle = (low + high) / 2;
            if (xs[middle] <= v) {
                low = middle;
            } else {
                high = middle;
            }
        }
        double part = (v - xs[low]) / (xs[low + 1] - xs[low]);
        result[i] = ys[low] + part * (ys[low + 1] - ys[low]);
    }
}
