enum { PHASES = 3, SECTIONS = 2, STEPS = 2048 };

static const double sos[SECTIONS][5] = {{0.2, 0.4, 0.2, -0.30, 0.10}, {1.0, 2.0, 1.0, -0.25, 0.35}};

void KERNEL(const double *restrict u, double *restrict y) {
    double z1[PHASES][SECTIONS] = {{0}}, z2[PHASES][SECTIONS] = {{0}};
    for (int step = 0; step < STEPS; step++, u += PHASES, y += PHASES) {
        for (int c = 0; c < PHASES; c++) {
            double v = u[c];
            for (int k = 0; k < SECTIONS; k++) {
                const double *s = sos[k];
                double w = s[0] * v + z1[c][k];
                w = w < -1.5 ? -1.5 : w > 1.5 ? 1.5 : w;
                z1[c][k] = s[1] * v - s[3] * w + z2[c][k];
                z2[c][k] = s[2] * v - s[4] * w;
                v = w;
            }
            y[c] = v;
        }
    }
}
