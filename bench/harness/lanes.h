/* Eight small matrices at once, one in each lane: element i of all of them is one vector. */
#ifndef BENCH_HARNESS_LANES_H
#define BENCH_HARNESS_LANES_H

#include "bench/harness/transpose.h"

/* Eight runs of `count` reals, to lanes; the rest of less than eight elements goes one by one. */
static inline void to_lanes(const double *from, size_t count, V8 *to) {
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        for (int k = 0; k < 8; k++) {
            to[i + k] = load8(from + k * count + i);
        }
        transpose8(to + i);
    }
    for (; i < count; i++) {
        for (int k = 0; k < 8; k++) {
            to[i][k] = from[k * count + i];
        }
    }
}

/* And back; spoils `from`. */
static inline void from_lanes(V8 *from, size_t count, double *to) {
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        transpose8(from + i);
        for (int k = 0; k < 8; k++) {
            store8(to + k * count + i, from[i + k]);
        }
    }
    for (; i < count; i++) {
        for (int k = 0; k < 8; k++) {
            to[k * count + i] = from[i][k];
        }
    }
}

static inline V8 choose8(Mask8 mask, V8 yes, V8 no) {
    return (V8)((mask & (Mask8)yes) | (~mask & (Mask8)no));
}

static inline V8 absolute8(V8 v) {
    return (V8)((Mask8)v & INT64_MAX);
}

static inline V8 root8(V8 v) {
#ifdef __AVX512F__
    return (V8)_mm512_sqrt_pd((__m512d)v);
#else
    for (int i = 0; i < 8; i++) {
        v[i] = sqrt(v[i]);
    }
    return v;
#endif
}

static inline void swap_where(Mask8 mask, V8 *a, V8 *b) {
    V8 low = choose8(mask, *b, *a);
    *b = choose8(mask, *a, *b);
    *a = low;
}

/* x of a x = x, n by n; rows change places so that the greatest pivot comes first. */
static inline void solve_lanes(int n, V8 *a, V8 *x) {
    for (int k = 0; k < n; k++) {
        for (int i = k + 1; i < n; i++) {
            Mask8 greater = absolute8(a[i * n + k]) > absolute8(a[k * n + k]);
            for (int j = k; j < n; j++) {
                swap_where(greater, &a[k * n + j], &a[i * n + j]);
            }
            swap_where(greater, &x[k], &x[i]);
        }
        V8 inverse = 1.0 / a[k * n + k];
        a[k * n + k] = inverse;
        for (int i = k + 1; i < n; i++) {
            V8 factor = a[i * n + k] * inverse;
            for (int j = k + 1; j < n; j++) {
                a[i * n + j] -= factor * a[k * n + j];
            }
            x[i] -= factor * x[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) {
            x[k] -= a[k * n + j] * x[j];
        }
        x[k] *= a[k * n + k];
    }
}

#endif
