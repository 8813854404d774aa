#include <math.h>

void KERNEL(const double *restrict x, double w, double *restrict result) {
    for (int i = 0; i < 8192; i++) {
        result[i] = exp(-x[i]) * sin(w * x[i]);
    }
}
