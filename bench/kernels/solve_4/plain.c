#include <math.h>
#include <string.h>

enum { N = 4 };

static void solve(const double *restrict matrix, const double *restrict right, double *restrict x) {
    double a[N][N];
    memcpy(a, matrix, sizeof(a));
    memcpy(x, right, sizeof(double) * N);
    for (int k = 0; k < N; k++) {
        int pivot = k;
        for (int i = k + 1; i < N; i++) {
            pivot = fabs(a[i][k]) > fabs(a[pivot][k]) ? i : pivot;
        }
        if (pivot != k) {
            for (int j = 0; j < N; j++) {
                double swapped = a[k][j];
                a[k][j] = a[pivot][j];
                a[pivot][j] = swapped;
            }
            double swapped = x[k];
            x[k] = x[pivot];
            x[pivot] = swapped;
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

void KERNEL(const double *restrict a, const double *restrict b, double *restrict result) {
    for (int m = 0; m < 512; m++) {
        solve(a + m * N * N, b + m * N, result + m * N);
    }
}
