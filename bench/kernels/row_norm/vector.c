#include "bench/harness/vector.h"

enum { N = 512 };

void KERNEL(const double *restrict x, double *restrict result) {
    for (int i = 0; i < N; i++, x += N, result += N) {
        V s[4] = {0}, q[4] = {0};
        for (int j = 0; j < N; j += 4 * LANES) {
            for (int k = 0; k < 4; k++) {
                s[k] += load(x + j + k * LANES);
            }
        }
        double mean = total((s[0] + s[1]) + (s[2] + s[3])) / N;
        for (int j = 0; j < N; j += 4 * LANES) {
            for (int k = 0; k < 4; k++) {
                V c = load(x + j + k * LANES) - mean;
                q[k] += c * c;
            }
        }
        double scale = 1 / sqrt(total((q[0] + q[1]) + (q[2] + q[3])) / N + 1e-9);
        for (int j = 0; j < N; j += LANES) {
            store(result + j, (load(x + j) - mean) * scale);
        }
    }
}
