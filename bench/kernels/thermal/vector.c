#include "bench/harness/lanes.h"

enum { N = 6, STEPS = 2048 };

/* One vector; what flows between neighbours is turned by one. */
void KERNEL(const double *restrict u, double *restrict y) {
    const V8 by = 1 / (V8){0.5, 0.8, 1.0, 1.2, 1.5, 2.0, 1.0, 1.0};
    const V8 rate = 0.1 / (V8){1.0, 2.0, 3.0, 5.0, 8.0, 13.0, 1.0, 1.0};
    V8 temp = {0};
    for (int step = 0; step < STEPS; step++, u += 2, y += N) {
        for (int i = 0; i < N; i++) {
            y[i] = temp[i];
        }
        V8 outside = {u[1], u[0]};
        V8 next = __builtin_shufflevector(temp, outside, 1, 2, 3, 4, 5, 8, 6, 7);
        V8 flow = (temp - next) * by;
        V8 in = __builtin_shufflevector(flow, outside, 9, 0, 1, 2, 3, 4, 6, 7);
        temp += rate * (in - flow);
    }
}
