enum { N = 6, STEPS = 2048 };

static const double dt = 0.1;
static const double r[N] = {0.5, 0.8, 1.0, 1.2, 1.5, 2.0};
static const double c[N] = {1.0, 2.0, 3.0, 5.0, 8.0, 13.0};

void KERNEL(const double *restrict u, double *restrict y) {
    double temp[N] = {0};
    for (int step = 0; step < STEPS; step++, u += 2, y += N) {
        double flow[N];
        for (int i = 0; i < N; i++) {
            y[i] = temp[i];
        }
        for (int i = 0; i < N - 1; i++) {
            flow[i] = (temp[i] - temp[i + 1]) / r[i];
        }
        flow[N - 1] = (temp[N - 1] - u[1]) / r[N - 1];
        temp[0] += dt / c[0] * (u[0] - flow[0]);
        for (int i = 1; i < N; i++) {
            temp[i] += dt / c[i] * (flow[i - 1] - flow[i]);
        }
    }
}
