#include <math.h>

enum { ROWS = 1024, COLS = 32 };

void KERNEL(const double *restrict x, double *restrict result) {
    double mean[COLS] = {0}, scale[COLS] = {0};
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < COLS; j++) {
            mean[j] += x[i * COLS + j];
        }
    }
    for (int j = 0; j < COLS; j++) {
        mean[j] /= ROWS;
    }
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < COLS; j++) {
            double centred = x[i * COLS + j] - mean[j];
            scale[j] += centred * centred;
        }
    }
    for (int j = 0; j < COLS; j++) {
        scale[j] = 1 / sqrt(scale[j] / ROWS);
    }
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < COLS; j++) {
            result[i * COLS + j] = (x[i * COLS + j] - mean[j]) * scale[j];
        }
    }
}
