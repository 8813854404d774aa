#include "bench/harness/vector.h"

enum { TAPS = 16, STEPS = 2048 };

static const double taps[TAPS] = {-0.003, -0.008, -0.012, 0.004, 0.051, 0.121,  0.189,  0.217,
                                  0.217,  0.189,  0.121,  0.051, 0.004, -0.012, -0.008, -0.003};

/* Steps are lanes: what is past lies before them. */
void KERNEL(const double *restrict u, double *restrict y) {
    for (int step = 0; step < TAPS; step++) {
        double sum = 0;
        for (int k = 0; k <= step; k++) {
            sum += taps[k] * u[step - k];
        }
        y[step] = sum;
    }
    for (int step = TAPS; step < STEPS; step += 2 * LANES) {
        V even = taps[0] * load(u + step), odd = taps[0] * load(u + step + LANES);
        for (int k = 1; k < TAPS; k++) {
            even += taps[k] * load(u + step - k);
            odd += taps[k] * load(u + step + LANES - k);
        }
        store(y + step, even);
        store(y + step + LANES, odd);
    }
}
