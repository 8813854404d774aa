#include <math.h>

enum { IN = 16, HIDDEN = 32, OUT = 8 };

void KERNEL(const double *restrict x, const double *restrict w1, const double *restrict b1,
            const double *restrict w2, const double *restrict b2, double *restrict result) {
    for (int i = 0; i < 64; i++, x += IN, result += OUT) {
        double hidden[HIDDEN], out[OUT];
        for (int j = 0; j < HIDDEN; j++) {
            hidden[j] = b1[j];
        }
        for (int k = 0; k < IN; k++) {
            for (int j = 0; j < HIDDEN; j++) {
                hidden[j] += x[k] * w1[k * HIDDEN + j];
            }
        }
        for (int j = 0; j < OUT; j++) {
            out[j] = b2[j];
        }
        for (int k = 0; k < HIDDEN; k++) {
            double value = tanh(hidden[k]);
            for (int j = 0; j < OUT; j++) {
                out[j] += value * w2[k * OUT + j];
            }
        }
        for (int j = 0; j < OUT; j++) {
            result[j] = tanh(out[j]);
        }
    }
}
