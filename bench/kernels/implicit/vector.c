#include <math.h>

enum { STEPS = 512 };

static const double fixed[4][4] = {
    {2.0, -0.1, 0.0, 0.1}, {0.3, 1.8, -0.2, 0.0}, {0.0, 0.4, 2.2, -0.1}, {-0.2, 0.0, 0.5, 1.9}};
static const double varying[4][4] = {
    {0.1, 0.2, 0.0, 0.0}, {0.2, 0.3, 0.1, 0.0}, {0.0, 0.1, 0.2, 0.1}, {0.0, 0.0, 0.1, 0.4}};
static const double force[4] = {1, 0, 0.5, 0.2};

/* Column 4 is the right side. Rows rarely change places, and pivots are inverted once, so that the
   chain is four divisions and few multiply-adds; scalars are faster than shuffled vectors here. */
static inline void eliminate(double a[4][5]) {
#pragma GCC unroll 4
    for (int k = 0; k < 4; k++) {
#pragma GCC unroll 4
        for (int i = k + 1; i < 4; i++) {
            if (__builtin_expect(fabs(a[i][k]) > fabs(a[k][k]), 0)) {
                for (int j = k; j < 5; j++) {
                    double swapped = a[k][j];
                    a[k][j] = a[i][j];
                    a[i][j] = swapped;
                }
            }
        }
        a[k][k] = 1 / a[k][k];
#pragma GCC unroll 4
        for (int i = k + 1; i < 4; i++) {
            double factor = a[i][k] * a[k][k];
#pragma GCC unroll 5
            for (int j = k + 1; j < 5; j++) {
                a[i][j] -= factor * a[k][j];
            }
        }
    }
}

void KERNEL(const double *restrict u, double *restrict y) {
    double x[4] = {0};
    for (int step = 0; step < STEPS; step++) {
        double a[4][5];
        for (int i = 0; i < 4; i++) {
            for (int j = 0; j < 4; j++) {
                a[i][j] = fixed[i][j] + u[2 * step] * varying[i][j];
            }
            a[i][4] = x[i] + u[2 * step + 1] * force[i];
        }
        eliminate(a);
        x[3] = a[3][4] * a[3][3];
        x[2] = (a[2][4] - a[2][3] * x[3]) * a[2][2];
        x[1] = ((a[1][4] - a[1][3] * x[3]) - a[1][2] * x[2]) * a[1][1];
        x[0] = ((a[0][4] - a[0][3] * x[3]) - a[0][2] * x[2] - a[0][1] * x[1]) * a[0][0];
        y[step] = x[0] + x[3];
    }
}
