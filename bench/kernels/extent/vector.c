#include "bench/harness/vector.h"

enum { WAYS = 4 };

/* Comparisons drop a nan; whether there was one is remembered beside them. */
void KERNEL(const double *restrict x, double *restrict result) {
    V greatest[WAYS], least[WAYS];
    Mask numbers = (Mask){0} == 0;
    for (int k = 0; k < WAYS; k++) {
        greatest[k] = least[k] = splat(x[0]);
    }
    for (int i = 0; i < 32768; i += WAYS * LANES) {
        for (int k = 0; k < WAYS; k++) {
            V v = load(x + i + k * LANES);
            greatest[k] = choose(v > greatest[k], v, greatest[k]);
            least[k] = choose(v < least[k], v, least[k]);
            numbers &= v == v;
        }
    }
    double high = x[0], low = x[0];
    for (int k = 0; k < WAYS; k++) {
        for (int i = 0; i < LANES; i++) {
            high = greatest[k][i] > high ? greatest[k][i] : high;
            low = least[k][i] < low ? least[k][i] : low;
        }
    }
    for (int i = 0; i < LANES; i++) {
        high = numbers[i] == 0 ? (double)NAN : high;
    }
    *result = high - low;
}
