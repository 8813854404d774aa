#include "bench/harness/vector.h"

enum { WAYS = 4 };

static int any(Mask m) {
    int64_t all = 0;
    for (int i = 0; i < LANES; i++) {
        all |= m[i];
    }
    return all != 0;
}

/* The steps of WAYS vectors of points: each of them waits for the operation before. */
static void escape(const double *restrict re, double im, int32_t *restrict result) {
    V cr[WAYS], x[WAYS], y[WAYS], count[WAYS];
    Mask inside = (Mask){0} == 0;
    for (int k = 0; k < WAYS; k++) {
        cr[k] = load(re + k * LANES);
        x[k] = y[k] = count[k] = (V){0};
    }
    for (int step = 0; step < 256 && any(inside); step++) {
        inside = (Mask){0};
        for (int k = 0; k < WAYS; k++) {
            V xx = x[k] * x[k], yy = y[k] * y[k], xy = x[k] * y[k];
            Mask in = xx + yy <= 4.0;
            inside |= in;
            /* Points outside go on to infinity or nan, and never come back. */
            count[k] += choose(in, splat(1), (V){0});
            x[k] = xx - yy + cr[k];
            y[k] = xy + xy + im;
        }
    }
    for (int k = 0; k < WAYS; k++) {
        for (int i = 0; i < LANES; i++) {
            result[k * LANES + i] = (int32_t)count[k][i];
        }
    }
}

void KERNEL(const double *restrict re, const double *restrict im, int32_t *restrict result) {
    for (int row = 0; row < 64; row++) {
        for (int col = 0; col < 96; col += WAYS * LANES) {
            escape(re + col, im[row], result + row * 96 + col);
        }
    }
}
