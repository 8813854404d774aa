#include <math.h>
#include <string.h>

enum { N = 4, STEPS = 512 };

static const double fixed[N][N] = {
    {2.0, -0.1, 0.0, 0.1}, {0.3, 1.8, -0.2, 0.0}, {0.0, 0.4, 2.2, -0.1}, {-0.2, 0.0, 0.5, 1.9}};
static const double varying[N][N] = {
    {0.1, 0.2, 0.0, 0.0}, {0.2, 0.3, 0.1, 0.0}, {0.0, 0.1, 0.2, 0.1}, {0.0, 0.0, 0.1, 0.4}};
static const double force[N] = {1, 0, 0.5, 0.2};

static void solve(double a[N][N], double x[N]) {
    for (int k = 0; k < N; k++) {
        int pivot = k;
        for (int i = k + 1; i < N; i++) {
            pivot = fabs(a[i][k]) > fabs(a[pivot][k]) ? i : pivot;
        }
        if (pivot != k) {
            double row[N], value = x[k];
            memcpy(row, a[k], sizeof(row));
            memcpy(a[k], a[pivot], sizeof(row));
            memcpy(a[pivot], row, sizeof(row));
            x[k] = x[pivot];
            x[pivot] = value;
        }
        for (int i = k + 1; i < N; i++) {
            double factor = a[i][k] / a[k][k];
            for (int j = k + 1; j < N; j++) {
                a[i][j] -= factor * a[k][j];
            }
            x[i] -= factor * x[k];
        }
    }
    for (int k = N - 1; k >= 0; k--) {
        for (int j = k + 1; j < N; j++) {
            x[k] -= a[k][j] * x[j];
        }
        x[k] /= a[k][k];
    }
}

void KERNEL(const double *restrict u, double *restrict y) {
    double x[N] = {0};
    for (int step = 0; step < STEPS; step++) {
        double a[N][N];
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < N; j++) {
                a[i][j] = fixed[i][j] + u[2 * step] * varying[i][j];
            }
            x[i] += u[2 * step + 1] * force[i];
        }
        solve(a, x);
        y[step] = x[0] + x[3];
    }
}
