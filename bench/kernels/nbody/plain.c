#include <math.h>
#include <string.h>

enum { N = 8 };

void KERNEL(const double *restrict places, const double *restrict speeds,
            const double *restrict mass, double *restrict result) {
    double v[N][3], (*x)[3] = (double(*)[3])result;
    memcpy(x, places, sizeof(v));
    memcpy(v, speeds, sizeof(v));
    for (int step = 0; step < 64; step++) {
        for (int i = 1; i < N; i++) {
            for (int j = 0; j < i; j++) {
                double d[3], square = 0;
                for (int k = 0; k < 3; k++) {
                    d[k] = x[i][k] - x[j][k];
                    square += d[k] * d[k];
                }
                square += 0.01;
                double factor = 0.01 / (square * sqrt(square));
                for (int k = 0; k < 3; k++) {
                    v[i][k] -= factor * mass[j] * d[k];
                    v[j][k] += factor * mass[i] * d[k];
                }
            }
        }
        for (int i = 0; i < N; i++) {
            for (int k = 0; k < 3; k++) {
                x[i][k] += 0.01 * v[i][k];
            }
        }
    }
}
