#include <math.h>
#include <string.h>

enum { N = 1024 };

static double cosines[N / 2], sines[N / 2];

__attribute__((constructor)) static void start(void) {
    for (int k = 0; k < N / 2; k++) {
        cosines[k] = cos(2 * M_PI * k / N);
        sines[k] = -sin(2 * M_PI * k / N);
    }
}

/* Stockham's algorithm with radix 2, real and imaginary parts apart. */
void KERNEL(const double *restrict z, double *restrict result) {
    static double re[N], im[N], to_re[N], to_im[N];
    for (int k = 0; k < N; k++) {
        re[k] = z[2 * k];
        im[k] = z[2 * k + 1];
    }
    for (int l = N / 2, m = 1; l >= 1; l /= 2, m *= 2) {
        for (int j = 0; j < l; j++) {
            double wr = cosines[j * m], wi = sines[j * m];
            for (int k = 0; k < m; k++) {
                int a = k + j * m, b = a + l * m, to = k + 2 * j * m;
                double dr = re[a] - re[b], di = im[a] - im[b];
                to_re[to] = re[a] + re[b];
                to_im[to] = im[a] + im[b];
                to_re[to + m] = wr * dr - wi * di;
                to_im[to + m] = wr * di + wi * dr;
            }
        }
        memcpy(re, to_re, sizeof(re));
        memcpy(im, to_im, sizeof(im));
    }
    for (int k = 0; k < N; k++) {
        result[2 * k] = re[k];
        result[2 * k + 1] = im[k];
    }
}
