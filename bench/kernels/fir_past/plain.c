enum { TAPS = 16, STEPS = 2048 };

static const double taps[TAPS] = {-0.003, -0.008, -0.012, 0.004, 0.051, 0.121,  0.189,  0.217,
                                  0.217,  0.189,  0.121,  0.051, 0.004, -0.012, -0.008, -0.003};

void KERNEL(const double *restrict u, double *restrict y) {
    double past[TAPS] = {0};
    for (int step = 0; step < STEPS; step++) {
        for (int k = TAPS - 1; k > 0; k--) {
            past[k] = past[k - 1];
        }
        past[0] = u[step];
        double sum = 0;
        for (int k = 0; k < TAPS; k++) {
            sum += taps[k] * past[k];
        }
        y[step] = sum;
    }
}
