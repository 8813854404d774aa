#include <math.h>
#include <string.h>

enum { N = 8 };

/* Householder's reflections; Golub and Van Loan, Matrix Computations, 5.2.1. */
void KERNEL(const double *restrict x, double *restrict result) {
    double a[N][N], factors[N], (*q)[N] = (void *)result, (*r)[N] = q + N;
    memcpy(a, x, sizeof(a));
    for (int k = 0; k < N; k++) {
        double tail = 0;
        for (int i = k + 1; i < N; i++) {
            tail += a[i][k] * a[i][k];
        }
        factors[k] = 0;
        if (tail == 0) {
            continue;
        }
        double size = sqrt(a[k][k] * a[k][k] + tail);
        double head = a[k][k] < 0 ? size : -size;
        factors[k] = (head - a[k][k]) / head;
        double scale = 1 / (a[k][k] - head);
        for (int i = k + 1; i < N; i++) {
            a[i][k] *= scale;
        }
        a[k][k] = head;
        for (int j = k + 1; j < N; j++) {
            double s = a[k][j];
            for (int i = k + 1; i < N; i++) {
                s += a[i][k] * a[i][j];
            }
            s *= factors[k];
            a[k][j] -= s;
            for (int i = k + 1; i < N; i++) {
                a[i][j] -= s * a[i][k];
            }
        }
    }
    memset(result, 0, 2 * sizeof(a));
    for (int i = 0; i < N; i++) {
        q[i][i] = 1;
    }
    for (int k = N - 1; k >= 0; k--) {
        for (int j = k; j < N; j++) {
            double s = q[k][j];
            for (int i = k + 1; i < N; i++) {
                s += a[i][k] * q[i][j];
            }
            s *= factors[k];
            q[k][j] -= s;
            for (int i = k + 1; i < N; i++) {
                q[i][j] -= s * a[i][k];
            }
        }
    }
    for (int k = 0; k < N; k++) {
        double sign = a[k][k] < 0 ? -1 : 1;
        for (int j = k; j < N; j++) {
            r[k][j] = sign * a[k][j];
        }
        for (int i = 0; i < N; i++) {
            q[i][k] *= sign;
        }
    }
}
