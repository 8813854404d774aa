#include "bench/harness/vector.h"

/* Elements 0 to 7 are one vector and element 8 a scalar: no store reaches into the next matrix. */
void KERNEL(const double *restrict a, const double *restrict b, double *restrict result) {
    for (int m = 0; m < 1024; m++, a += 9, b += 9, result += 9) {
        V8 left = load8(a), right = load8(b);
        V8 last = load8(a + 1), end = load8(b + 1); /* elements 1 to 8 */
        V8 low = __builtin_shufflevector(left, left, 0, 0, 0, 3, 3, 3, 6, 6) *
                 __builtin_shufflevector(right, right, 0, 1, 2, 0, 1, 2, 0, 1);
        V8 middle = __builtin_shufflevector(left, left, 1, 1, 1, 4, 4, 4, 7, 7) *
                    __builtin_shufflevector(right, right, 3, 4, 5, 3, 4, 5, 3, 4);
        V8 high = __builtin_shufflevector(last, last, 1, 1, 1, 4, 4, 4, 7, 7) *
                  __builtin_shufflevector(end, end, 5, 6, 7, 5, 6, 7, 5, 6);
        double corner = a[6] * b[2] + a[7] * b[5] + a[8] * b[8];
        store8(result, low + middle + high);
        result[8] = corner;
    }
}
