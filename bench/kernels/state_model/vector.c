#include "bench/harness/vector.h"

enum { N = 64, WAYS = N / LANES, STEPS = 256 };

/* By columns, so that a step is multiply-adds of whole columns with one state each. */
static V columns[N][WAYS], b[2][WAYS], c[2][WAYS];

__attribute__((constructor)) static void start(void) {
    for (int i = 0; i < N; i++) {
        int w = i / LANES, lane = i % LANES;
        for (int j = 0; j < N; j++) {
            columns[j][w][lane] = 0.9 * exp(-2 * fabs((double)i - j)) * 0.7;
        }
        b[0][w][lane] = sin(i * 0.1);
        b[1][w][lane] = sin(i * 0.7);
        c[0][w][lane] = cos(0.3 * i);
        c[1][w][lane] = cos(0.2 * i);
    }
}

void KERNEL(const double *restrict u, double *restrict y) {
    V x[WAYS] = {0};
    for (int step = 0; step < STEPS; step++, u += 2, y += 2) {
        double values[N];
        V y0 = {0}, y1 = {0}, even[WAYS], odd[WAYS] = {0};
        for (int w = 0; w < WAYS; w++) {
            store(values + w * LANES, x[w]);
            y0 += c[0][w] * x[w];
            y1 += c[1][w] * x[w];
            even[w] = b[0][w] * u[0] + b[1][w] * u[1];
        }
        y[0] = total(y0);
        y[1] = total(y1);
        for (int k = 0; k < N; k += 2) {
            for (int w = 0; w < WAYS; w++) {
                even[w] += columns[k][w] * values[k];
                odd[w] += columns[k + 1][w] * values[k + 1];
            }
        }
        for (int w = 0; w < WAYS; w++) {
            x[w] = even[w] + odd[w];
        }
    }
}
