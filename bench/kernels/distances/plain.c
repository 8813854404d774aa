#include <math.h>

void KERNEL(const double *restrict a, const double *restrict b, double *restrict result) {
    for (int i = 0; i < 100; i++) {
        for (int j = 0; j < 120; j++) {
            double x = a[3 * i] - b[3 * j];
            double y = a[3 * i + 1] - b[3 * j + 1];
            double z = a[3 * i + 2] - b[3 * j + 2];
            result[120 * i + j] = sqrt(x * x + y * y + z * z);
        }
    }
}
