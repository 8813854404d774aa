#include "bench/harness/vector.h"

enum { SECTIONS = 3, WIDTH = 24, WAYS = WIDTH / LANES, STEPS = 1024 };

static const double sos[SECTIONS][5] = {
    {0.2, 0.4, 0.2, -0.30, 0.10}, {1.0, 2.0, 1.0, -0.25, 0.35}, {1.0, -1.0, 0.5, -0.45, 0.20}};

/* The states of all sections stay in registers. */
void KERNEL(const double *restrict u, double *restrict y) {
    V z1[SECTIONS][WAYS] = {{{0}}}, z2[SECTIONS][WAYS] = {{{0}}};
    for (int step = 0; step < STEPS; step++, u += WIDTH, y += WIDTH) {
        for (int i = 0; i < WAYS; i++) {
            V v = load(u + i * LANES);
            for (int k = 0; k < SECTIONS; k++) {
                V w = sos[k][0] * v + z1[k][i];
                z1[k][i] = (sos[k][1] * v + z2[k][i]) - sos[k][3] * w;
                z2[k][i] = sos[k][2] * v - sos[k][4] * w;
                v = w;
            }
            store(y + i * LANES, v);
        }
    }
}
