/* What lies 48 steps back is an input of then. */
void KERNEL(const double *restrict u, double *restrict y) {
    double total = 0;
    for (int k = 0; k < 48; k++) {
        total += u[k];
        y[k] = total / 48.0;
    }
    for (int k = 48; k < 4096; k++) {
        total += u[k] - u[k - 48];
        y[k] = total / 48.0;
    }
}
