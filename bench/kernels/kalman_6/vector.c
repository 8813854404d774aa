#include "bench/harness/vector.h"

enum { N = 6, SEEN = 3, STEPS = 128 };

/* Rows of six in vectors of eight; the last two lanes are zero. */
static V8 row(const double *from) {
    V4 low = load4(from);
    V2 high = load2(from + 4);
    return (V8){low[0], low[1], low[2], low[3], high[0], high[1], 0, 0};
}

static V8 column(const double *from) {
    return (V8){from[0], from[N], from[2 * N], from[3 * N], from[4 * N], from[5 * N], 0, 0};
}

/* The sum of `rows`, each times one of the factors. */
static V8 combined(V8 factors, const V8 rows[N]) {
    V8 even = factors[0] * rows[0], odd = factors[1] * rows[1];
    even += factors[2] * rows[2];
    odd += factors[3] * rows[3];
    even += factors[4] * rows[4];
    odd += factors[5] * rows[5];
    return even + odd;
}

static double dot(V8 a, V8 b) {
    V8 p = a * b;
    V4 half = __builtin_shufflevector(p, p, 0, 1, 2, 3) + __builtin_shufflevector(p, p, 4, 5, 6, 7);
    return (half[0] + half[1]) + (half[2] + half[3]);
}

/* The inverse of the symmetric s, times hp: the gain's transpose. */
static void gains(const double s[SEEN][SEEN], const V8 hp[SEEN], V8 gain[SEEN]) {
    double c00 = s[1][1] * s[2][2] - s[1][2] * s[1][2], c01 = s[0][2] * s[1][2] - s[0][1] * s[2][2];
    double c02 = s[0][1] * s[1][2] - s[0][2] * s[1][1], c11 = s[0][0] * s[2][2] - s[0][2] * s[0][2];
    double c12 = s[0][1] * s[0][2] - s[0][0] * s[1][2], c22 = s[0][0] * s[1][1] - s[0][1] * s[0][1];
    double inverse = 1 / (s[0][0] * c00 + s[0][1] * c01 + s[0][2] * c02);
    gain[0] = (c00 * hp[0] + c01 * hp[1] + c02 * hp[2]) * inverse;
    gain[1] = (c01 * hp[0] + c11 * hp[1] + c12 * hp[2]) * inverse;
    gain[2] = (c02 * hp[0] + c12 * hp[1] + c22 * hp[2]) * inverse;
}

void KERNEL(const double *restrict z, const double *restrict f, const double *restrict h,
            const double *restrict q, const double *restrict r, double *restrict result) {
    V8 x = {0}, p[N], noise[N], rows[N], columns[N], measured[SEEN];
    for (int i = 0; i < N; i++) {
        p[i] = noise[i] = row(q + i * N);
        rows[i] = row(f + i * N);
        columns[i] = column(f + i);
    }
    for (int i = 0; i < SEEN; i++) {
        measured[i] = row(h + i * N);
    }
    for (int step = 0; step < STEPS; step++, z += SEEN, result += N) {
        V8 fp[N], hp[SEEN], gain[SEEN];
        double s[SEEN][SEEN], rest[SEEN];
        x = combined(x, columns);
        for (int i = 0; i < N; i++) {
            fp[i] = combined(rows[i], p);
        }
        for (int i = 0; i < N; i++) {
            p[i] = noise[i] + combined(fp[i], columns);
        }
        for (int i = 0; i < SEEN; i++) {
            hp[i] = combined(measured[i], p);
            rest[i] = z[i] - dot(measured[i], x);
        }
        for (int i = 0; i < SEEN; i++) {
            for (int j = i; j < SEEN; j++) {
                s[i][j] = dot(hp[i], measured[j]) + r[i * SEEN + j];
            }
        }
        gains(s, hp, gain);
        x += gain[0] * rest[0] + gain[1] * rest[1] + gain[2] * rest[2];
        for (int i = 0; i < N; i++) {
            p[i] -= gain[0][i] * hp[0] + gain[1][i] * hp[1] + gain[2][i] * hp[2];
        }
        store4(result, __builtin_shufflevector(x, x, 0, 1, 2, 3));
        store2(result + 4, __builtin_shufflevector(x, x, 4, 5));
    }
}
