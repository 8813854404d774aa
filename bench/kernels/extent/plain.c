#include <math.h>

void KERNEL(const double *restrict x, double *restrict result) {
    double greatest = x[0], least = x[0];
    for (int i = 1; i < 32768; i++) {
        greatest = x[i] > greatest || isnan(x[i]) ? x[i] : greatest;
        least = x[i] < least || isnan(x[i]) ? x[i] : least;
    }
    *result = greatest - least;
}
