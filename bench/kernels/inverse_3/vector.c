#include "bench/harness/lanes.h"

void KERNEL(const double *restrict a, double *restrict result) {
    for (int m = 0; m < 512; m += 8) {
        V8 x[9], y[9];
        to_lanes(a + m * 9, 9, x);
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                int r = (j + 1) % 3 * 3, s = (j + 2) % 3 * 3, c = (i + 1) % 3, d = (i + 2) % 3;
                y[i * 3 + j] = x[r + c] * x[s + d] - x[r + d] * x[s + c];
            }
        }
        V8 inverse = 1.0 / (x[0] * y[0] + x[1] * y[3] + x[2] * y[6]);
        for (int i = 0; i < 9; i++) {
            y[i] *= inverse;
        }
        from_lanes(y, 9, result + m * 9);
    }
}
