#include "bench/harness/vector.h"

#define ALL(v, ...) __builtin_shufflevector(v, v, __VA_ARGS__)
#define BOTH(v, w, ...) __builtin_shufflevector(v, w, __VA_ARGS__)

/* Three vectors are eight points: each lane needs the three axes of its own point. */
void KERNEL(const double *restrict r, const double *restrict x, double *restrict result) {
    V8 c[3][3]; /* of result vector v, axis k: column k of the rotation, by lane */
    for (int lane = 0; lane < 24; lane++) {
        for (int k = 0; k < 3; k++) {
            c[lane / 8][k][lane % 8] = r[3 * (lane % 3) + k];
        }
    }
    for (int i = 0; i < 2048; i += 8, x += 24, result += 24) {
        V8 p = load8(x), q = load8(x + 8), s = load8(x + 16);
        store8(result, ALL(p, 0, 0, 0, 3, 3, 3, 6, 6) * c[0][0] +
                           ALL(p, 1, 1, 1, 4, 4, 4, 7, 7) * c[0][1] +
                           BOTH(p, q, 2, 2, 2, 5, 5, 5, 8, 8) * c[0][2]);
        V8 third = BOTH(q, s, 0, 3, 3, 3, 6, 6, 6, 9);
        V8 second = BOTH(BOTH(p, q, 7, 10, 10, 10, 13, 13, 13, 13), s, 0, 1, 2, 3, 4, 5, 6, 8);
        store8(result + 8, BOTH(p, q, 6, 9, 9, 9, 12, 12, 12, 15) * c[1][0] + second * c[1][1] +
                               third * c[1][2]);
        store8(result + 16, BOTH(q, s, 7, 7, 10, 10, 10, 13, 13, 13) * c[2][0] +
                                ALL(s, 0, 0, 3, 3, 3, 6, 6, 6) * c[2][1] +
                                ALL(s, 1, 1, 4, 4, 4, 7, 7, 7) * c[2][2]);
    }
}
