#include <math.h>
#include <string.h>

enum { TAPS = 32, WIDTH = 16, STEPS = 512 };

static double taps[TAPS];

__attribute__((constructor)) static void start(void) {
    for (int k = 0; k < TAPS; k++) {
        taps[k] = sin(0.3 * (k + 1)) / TAPS;
    }
}

void KERNEL(const double *restrict u, double *restrict y) {
    double history[TAPS][WIDTH] = {{0}};
    for (int step = 0; step < STEPS; step++, u += WIDTH, y += WIDTH) {
        memmove(history[1], history[0], sizeof(history) - sizeof(history[0]));
        memcpy(history[0], u, sizeof(history[0]));
        for (int i = 0; i < WIDTH; i++) {
            y[i] = 0;
        }
        for (int k = 0; k < TAPS; k++) {
            for (int i = 0; i < WIDTH; i++) {
                y[i] += taps[k] * history[k][i];
            }
        }
    }
}
