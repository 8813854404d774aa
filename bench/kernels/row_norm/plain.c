#include <math.h>

enum { N = 512 };

void KERNEL(const double *restrict x, double *restrict result) {
    for (int i = 0; i < N; i++, x += N, result += N) {
        double sum = 0, squares = 0;
        for (int j = 0; j < N; j++) {
            sum += x[j];
        }
        double mean = sum / N;
        for (int j = 0; j < N; j++) {
            result[j] = x[j] - mean;
            squares += result[j] * result[j];
        }
        double scale = 1 / sqrt(squares / N + 1e-9);
        for (int j = 0; j < N; j++) {
            result[j] *= scale;
        }
    }
}
