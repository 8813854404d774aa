#include "bench/harness/vector.h"

enum { TAPS = 32, WIDTH = 16, WAYS = WIDTH / LANES, STEPS = 512 };

static double taps[TAPS];

__attribute__((constructor)) static void start(void) {
    for (int k = 0; k < TAPS; k++) {
        taps[k] = sin(0.3 * (k + 1)) / TAPS;
    }
}

/* The history is a window that moves down in twice its memory, and is copied when it has arrived.
 */
void KERNEL(const double *restrict u, double *restrict y) {
    double memory[4 * TAPS][WIDTH];
    int first = 3 * TAPS;
    memset(memory[first], 0, sizeof(memory[0]) * TAPS);
    for (int step = 0; step < STEPS; step++, u += WIDTH, y += WIDTH) {
        if (first == 0) {
            first = 3 * TAPS;
            memcpy(memory[first + 1], memory[0], sizeof(memory[0]) * (TAPS - 1));
            first++;
        }
        first--;
        V even[WAYS] = {0}, odd[WAYS] = {0};
        for (int w = 0; w < WAYS; w++) {
            V now = load(u + w * LANES);
            store(memory[first] + w * LANES, now);
            even[w] = taps[0] * now;
        }
        for (int k = 1; k + 1 < TAPS; k += 2) {
            for (int w = 0; w < WAYS; w++) {
                odd[w] += taps[k] * load(memory[first + k] + w * LANES);
                even[w] += taps[k + 1] * load(memory[first + k + 1] + w * LANES);
            }
        }
        for (int w = 0; w < WAYS; w++) {
            V last = taps[TAPS - 1] * load(memory[first + TAPS - 1] + w * LANES);
            store(y + w * LANES, even[w] + (odd[w] + last));
        }
    }
}
