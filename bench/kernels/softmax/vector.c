#include "bench/harness/vector.h"

enum { N = 64, WAYS = N / LANES };

static double greatest_of(const V v[WAYS]) {
    V greatest = v[0];
    Mask numbers = v[0] == v[0];
    for (int w = 1; w < WAYS; w++) {
        greatest = choose(v[w] > greatest, v[w], greatest);
        numbers &= v[w] == v[w];
    }
    double best = greatest[0];
    for (int i = 0; i < LANES; i++) {
        best = greatest[i] > best ? greatest[i] : best;
    }
    for (int i = 0; i < LANES; i++) {
        best = numbers[i] == 0 ? (double)NAN : best;
    }
    return best;
}

void KERNEL(const double *restrict x, double *restrict result) {
    for (int i = 0; i < 128; i++, x += N, result += N) {
        V v[WAYS], sum = {0};
        for (int w = 0; w < WAYS; w++) {
            v[w] = load(x + w * LANES);
        }
        double greatest = greatest_of(v);
        for (int w = 0; w < WAYS; w++) {
            v[w] = VECTOR_FUNCTION(exp)(v[w] - greatest);
            sum += v[w];
        }
        double scale = 1 / total(sum);
        for (int w = 0; w < WAYS; w++) {
            store(result + w * LANES, v[w] * scale);
        }
    }
}
