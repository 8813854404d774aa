#include "bench/harness/vector.h"

enum { IN = 16, HIDDEN = 32, OUT = 8, WAYS = HIDDEN / LANES, PARTS = OUT / LANES };

void KERNEL(const double *restrict x, const double *restrict w1, const double *restrict b1,
            const double *restrict w2, const double *restrict b2, double *restrict result) {
    for (int i = 0; i < 64; i++, x += IN, result += OUT) {
        V hidden[WAYS], even[PARTS], odd[PARTS] = {0};
        double values[HIDDEN];
        for (int w = 0; w < WAYS; w++) {
            hidden[w] = load(b1 + w * LANES);
        }
        for (int k = 0; k < IN; k++) {
            for (int w = 0; w < WAYS; w++) {
                hidden[w] += x[k] * load(w1 + k * HIDDEN + w * LANES);
            }
        }
        for (int w = 0; w < WAYS; w++) {
            store(values + w * LANES, VECTOR_FUNCTION(tanh)(hidden[w]));
        }
        for (int p = 0; p < PARTS; p++) {
            even[p] = load(b2 + p * LANES);
            for (int k = 0; k < HIDDEN; k += 2) {
                even[p] += values[k] * load(w2 + k * OUT + p * LANES);
                odd[p] += values[k + 1] * load(w2 + (k + 1) * OUT + p * LANES);
            }
            store(result + p * LANES, VECTOR_FUNCTION(tanh)(even[p] + odd[p]));
        }
    }
}
