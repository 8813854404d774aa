#include "bench/harness/vector.h"

void KERNEL(const double *restrict x, double w, double *restrict result) {
    for (int i = 0; i < 8192; i += LANES) {
        V v = load(x + i);
        store(result + i, VECTOR_FUNCTION(exp)(-v) * VECTOR_FUNCTION(sin)(w * v));
    }
}
