#include "bench/harness/lanes.h"

enum { N = 8 };

#define TURNED(v, n)                                                                    \
    __builtin_shufflevector(v, v, (n) % 8, (1 + (n)) % 8, (2 + (n)) % 8, (3 + (n)) % 8, \
                            (4 + (n)) % 8, (5 + (n)) % 8, (6 + (n)) % 8, (7 + (n)) % 8)

/* A body is a lane. Turned by n, each meets the one that is n further; both directions are
   computed, which is twice the work in an eighth of the operations. */
#define MEET(n)                                                        \
    do {                                                               \
        V8 d[3], square = {0};                                         \
        for (int k = 0; k < 3; k++) {                                  \
            d[k] = x[k] - TURNED(x[k], n);                             \
            square += d[k] * d[k];                                     \
        }                                                              \
        square += 0.01;                                                \
        V8 factor = 0.01 / (square * root8(square)) * TURNED(mass, n); \
        for (int k = 0; k < 3; k++) {                                  \
            pull[k] += factor * d[k];                                  \
        }                                                              \
    } while (0)

void KERNEL(const double *restrict places, const double *restrict speeds,
            const double *restrict masses, double *restrict result) {
    V8 x[3], v[3], mass = load8(masses);
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < 3; k++) {
            x[k][i] = places[3 * i + k];
            v[k][i] = speeds[3 * i + k];
        }
    }
    for (int step = 0; step < 64; step++) {
        V8 pull[3] = {{0}};
        MEET(1);
        MEET(2);
        MEET(3);
        MEET(4);
        MEET(5);
        MEET(6);
        MEET(7);
        for (int k = 0; k < 3; k++) {
            v[k] -= pull[k];
            x[k] += 0.01 * v[k];
        }
    }
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < 3; k++) {
            result[3 * i + k] = x[k][i];
        }
    }
}
