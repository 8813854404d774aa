enum { PHASES = 3, SECTIONS = 2, STEPS = 2048 };

static const double sos[SECTIONS][5] = {{0.2, 0.4, 0.2, -0.30, 0.10}, {1.0, 2.0, 1.0, -0.25, 0.35}};

typedef double V4 __attribute__((vector_size(32)));
typedef long long I4 __attribute__((vector_size(32)));

static V4 choose(I4 condition, V4 a, V4 b) {
    return (V4)((condition & (I4)a) | (~condition & (I4)b));
}

/* One lane for each phase, and one for none. */
void KERNEL(const double *restrict u, double *restrict y) {
    const V4 zero = {0}, most = zero + 1.5;
    V4 z1[SECTIONS] = {zero, zero}, z2[SECTIONS] = {zero, zero};
    for (int step = 0; step < STEPS; step++, u += PHASES, y += PHASES) {
        V4 v = {u[0], u[1], u[2], 0};
        for (int k = 0; k < SECTIONS; k++) {
            V4 w = sos[k][0] * v + z1[k];
            w = choose(w < -most, -most, w);
            w = choose(w > most, most, w);
            z1[k] = (sos[k][1] * v + z2[k]) - sos[k][3] * w;
            z2[k] = sos[k][2] * v - sos[k][4] * w;
            v = w;
        }
        y[0] = v[0];
        y[1] = v[1];
        y[2] = v[2];
    }
}
