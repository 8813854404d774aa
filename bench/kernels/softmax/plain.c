#include <math.h>

void KERNEL(const double *restrict x, double *restrict result) {
    for (int i = 0; i < 128; i++, x += 64, result += 64) {
        double greatest = x[0], sum = 0;
        for (int j = 1; j < 64; j++) {
            greatest = x[j] > greatest || isnan(x[j]) ? x[j] : greatest;
        }
        for (int j = 0; j < 64; j++) {
            result[j] = exp(x[j] - greatest);
            sum += result[j];
        }
        double scale = 1 / sum;
        for (int j = 0; j < 64; j++) {
            result[j] *= scale;
        }
    }
}
