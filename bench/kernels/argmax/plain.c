void KERNEL(const double *restrict x, int32_t *restrict result) {
    int best = 0;
    for (int i = 1; i < 8192; i++) {
        if (x[i] > x[best]) {
            best = i;
        }
    }
    *result = best;
}
