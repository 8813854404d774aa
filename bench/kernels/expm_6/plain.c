#include <math.h>
#include <string.h>

enum { N = 6 };

typedef double Matrix[N][N];

static void product(Matrix a, Matrix b, Matrix result) {
    Matrix sum = {{0}};
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < N; k++) {
            for (int j = 0; j < N; j++) {
                sum[i][j] += a[i][k] * b[k][j];
            }
        }
    }
    memcpy(result, sum, sizeof(sum));
}

static void swap_rows(Matrix a, int first, int second) {
    for (int j = 0; j < N; j++) {
        double kept = a[first][j];
        a[first][j] = a[second][j];
        a[second][j] = kept;
    }
}

/* Solves a x = b, b becomes x. */
static void solve(Matrix a, Matrix b) {
    for (int k = 0; k < N; k++) {
        int pivot = k;
        for (int i = k + 1; i < N; i++) {
            pivot = fabs(a[i][k]) > fabs(a[pivot][k]) ? i : pivot;
        }
        if (pivot != k) {
            swap_rows(a, k, pivot);
            swap_rows(b, k, pivot);
        }
        for (int i = k + 1; i < N; i++) {
            double factor = a[i][k] / a[k][k];
            for (int j = k + 1; j < N; j++) {
                a[i][j] -= factor * a[k][j];
            }
            for (int j = 0; j < N; j++) {
                b[i][j] -= factor * b[k][j];
            }
        }
    }
    for (int i = N - 1; i >= 0; i--) {
        for (int k = i + 1; k < N; k++) {
            for (int j = 0; j < N; j++) {
                b[i][j] -= a[i][k] * b[k][j];
            }
        }
        for (int j = 0; j < N; j++) {
            b[i][j] /= a[i][i];
        }
    }
}

/* Higham, The scaling and squaring method for the matrix exponential revisited, degree 13. */
void KERNEL(const double *restrict x, double *restrict result) {
    Matrix a, a2, a4, a6, u, v;
    memcpy(a, x, sizeof(a));
    double size = 0;
    for (int j = 0; j < N; j++) {
        double sum = 0;
        for (int i = 0; i < N; i++) {
            sum += fabs(a[i][j]);
        }
        size = sum > size ? sum : size;
    }
    int squarings = 0;
    for (; size > 5.371920351148152; size /= 2) {
        squarings++;
    }
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            a[i][j] = ldexp(a[i][j], -squarings);
        }
    }
    product(a, a, a2);
    product(a2, a2, a4);
    product(a2, a4, a6);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            u[i][j] = a6[i][j] + 16380.0 * a4[i][j] + 40840800.0 * a2[i][j];
            v[i][j] = 182.0 * a6[i][j] + 960960.0 * a4[i][j] + 1323241920.0 * a2[i][j];
        }
    }
    product(a6, u, u);
    product(a6, v, v);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            u[i][j] += 33522128640.0 * a6[i][j] + 10559470521600.0 * a4[i][j] +
                       1187353796428800.0 * a2[i][j] + (i == j) * 32382376266240000.0;
            v[i][j] += 670442572800.0 * a6[i][j] + 129060195264000.0 * a4[i][j] +
                       7771770303897600.0 * a2[i][j] + (i == j) * 64764752532480000.0;
        }
    }
    product(a, u, u);
    Matrix difference, sum;
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            difference[i][j] = v[i][j] - u[i][j];
            sum[i][j] = v[i][j] + u[i][j];
        }
    }
    solve(difference, sum);
    for (int k = 0; k < squarings; k++) {
        product(sum, sum, sum);
    }
    memcpy(result, sum, sizeof(sum));
}
