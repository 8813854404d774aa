enum { SYSTEMS = 64 };

static void slope(const double *s, double *k) {
    k[0] = 10 * (s[1] - s[0]);
    k[1] = s[0] * (28 - s[2]) - s[1];
    k[2] = s[0] * s[1] - 8.0 / 3 * s[2];
}

static void moved(const double *s, double h, const double *k, double *to) {
    for (int d = 0; d < 3; d++) {
        to[d] = s[d] + h * k[d];
    }
}

void KERNEL(const double *restrict w, double *restrict result) {
    const double h = 0.01;
    for (int i = 0; i < SYSTEMS; i++) {
        double s[3] = {w[i], w[SYSTEMS + i], w[2 * SYSTEMS + i]};
        for (int n = 0; n < 20; n++) {
            double k1[3], k2[3], k3[3], k4[3], at[3];
            slope(s, k1);
            moved(s, 0.005, k1, at);
            slope(at, k2);
            moved(s, 0.005, k2, at);
            slope(at, k3);
            moved(s, h, k3, at);
            slope(at, k4);
            for (int d = 0; d < 3; d++) {
                s[d] += h / 6 * (k1[d] + 2 * k2[d] + 2 * k3[d] + k4[d]);
            }
        }
        for (int d = 0; d < 3; d++) {
            result[d * SYSTEMS + i] = s[d];
        }
    }
}
