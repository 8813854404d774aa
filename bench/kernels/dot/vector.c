#include "bench/harness/vector.h"

enum { WAYS = 4 };

void KERNEL(const double *restrict x, const double *restrict y, double *restrict result) {
    V products[WAYS] = {0}, squares[WAYS] = {0};
    for (int i = 0; i < 4096; i += WAYS * LANES) {
        for (int w = 0; w < WAYS; w++) {
            V a = load(x + i + w * LANES);
            products[w] += a * load(y + i + w * LANES);
            squares[w] += a * a;
        }
    }
    V sum = {0};
    for (int w = 0; w < WAYS; w++) {
        sum += products[w] + squares[w];
    }
    *result = total(sum);
}
