#include "bench/harness/vector.h"

enum { N = 6, STEPS = 1024 };

/* Columns; the first six lanes are the next state, and the products of the state that a step needs
   are lanes of one vector too: feedback and what is seen, 0 to 3 of `outputs`. */
static V8 columns[N], b[2], correction[2];
static V4 outputs[N];

__attribute__((constructor)) static void start(void) {
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            columns[j][i] = 0.8 * exp(-2 * fabs((double)i - j));
        }
        b[0][i] = sin(i * 0.5);
        b[1][i] = sin(i * 0.9);
        correction[0][i] = 0.05 * cos(i * 0.3);
        correction[1][i] = 0.05 * cos(i * 0.1);
        outputs[i] = (V4){-0.1 * cos(0.2 * i), -0.1 * cos(0.3 * i), -cos(0.4 * i), -cos(0.7 * i)};
    }
}

static V4 choose4(Mask4 mask, V4 yes, V4 no) {
    return (V4)((mask & (Mask4)yes) | (~mask & (Mask4)no));
}

static V8 spread(V4 v, int lane) {
    return v[lane] - (V8){0};
}

void KERNEL(const double *restrict u, double *restrict y) {
    static const V4 limit = {1.0, 0.5, INFINITY, INFINITY};
    V8 x = {0};
    for (int step = 0; step < STEPS; step++, u += 4, y += 2) {
        V4 in = load4(u), even = __builtin_shufflevector(in, in, 2, 3, 0, 1), odd = {0},
           third = {0};
        V8 first = {0}, second = {0};
        for (int k = 0; k < N; k += 3) {
            even += outputs[k] * x[k];
            odd += outputs[k + 1] * x[k + 1];
            third += outputs[k + 2] * x[k + 2];
        }
        for (int k = 0; k < N; k += 2) {
            first += columns[k] * x[k];
            second += columns[k + 1] * x[k + 1];
        }
        V4 sum = even + (odd + third);
        sum = choose4(sum > limit, limit, sum);
        sum = choose4(sum < -limit, -limit, sum);
        store2(y, __builtin_shufflevector(sum, sum, 0, 1));
        first += correction[0] * spread(sum, 2);
        second += correction[1] * spread(sum, 3);
        first += b[0] * spread(sum, 0);
        second += b[1] * spread(sum, 1);
        x = first + second;
    }
}
