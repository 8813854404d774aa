#include "bench/harness/vector.h"

enum { ROWS = 1024, COLS = 32, WAYS = COLS / LANES };

void KERNEL(const double *restrict x, double *restrict result) {
    V mean[2][WAYS] = {0}, scale[2][WAYS] = {0};
    for (int i = 0; i < ROWS; i += 2) {
        for (int w = 0; w < 2 * WAYS; w++) {
            mean[w / WAYS][w % WAYS] += load(x + i * COLS + w * LANES);
        }
    }
    for (int w = 0; w < WAYS; w++) {
        mean[0][w] = (mean[0][w] + mean[1][w]) * (1.0 / ROWS);
    }
    for (int i = 0; i < ROWS; i += 2) {
        for (int w = 0; w < 2 * WAYS; w++) {
            V centred = load(x + i * COLS + w * LANES) - mean[0][w % WAYS];
            scale[w / WAYS][w % WAYS] += centred * centred;
        }
    }
    for (int w = 0; w < WAYS; w++) {
        V sum = (scale[0][w] + scale[1][w]) * (1.0 / ROWS);
        for (int i = 0; i < LANES; i++) {
            scale[0][w][i] = 1 / sqrt(sum[i]);
        }
    }
    for (int i = 0; i < ROWS; i++) {
        for (int w = 0; w < WAYS; w++) {
            const double *from = x + i * COLS + w * LANES;
            store(result + i * COLS + w * LANES, (load(from) - mean[0][w]) * scale[0][w]);
        }
    }
}
