#include <string.h>

enum { SECTIONS = 3, WIDTH = 24, STEPS = 1024 };

static const double sos[SECTIONS][5] = {
    {0.2, 0.4, 0.2, -0.30, 0.10}, {1.0, 2.0, 1.0, -0.25, 0.35}, {1.0, -1.0, 0.5, -0.45, 0.20}};

void KERNEL(const double *restrict u, double *restrict y) {
    double z1[SECTIONS][WIDTH] = {{0}}, z2[SECTIONS][WIDTH] = {{0}};
    for (int step = 0; step < STEPS; step++, u += WIDTH, y += WIDTH) {
        memcpy(y, u, sizeof(double) * WIDTH);
        for (int k = 0; k < SECTIONS; k++) {
            const double *s = sos[k];
            for (int i = 0; i < WIDTH; i++) {
                double v = y[i], w = s[0] * v + z1[k][i];
                z1[k][i] = s[1] * v - s[3] * w + z2[k][i];
                z2[k][i] = s[2] * v - s[4] * w;
                y[i] = w;
            }
        }
    }
}
