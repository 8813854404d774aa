#include <stdint.h>
#include <string.h>

enum { N = 64, ROWS = 64 };

/* From runs of one on, each pair of neighbouring runs becomes one. */
static void of_row(const double *restrict x, int32_t *restrict result) {
    int from[N];
    for (int k = 0; k < N; k++) {
        from[k] = k;
    }
    for (int width = 1; width < N; width *= 2) {
        for (int low = 0; low < N; low += 2 * width) {
            int i = low, middle = low + width, j = middle, high = middle + width;
            for (int k = low; k < high; k++) {
                if (j >= high || (i < middle && x[from[i]] <= x[from[j]])) {
                    result[k] = from[i++];
                } else {
                    result[k] = from[j++];
                }
            }
        }
        memcpy(from, result, sizeof(from));
    }
}

void KERNEL(const double *restrict x, int32_t *restrict result) {
    for (int k = 0; k < ROWS; k++) {
        of_row(x + k * N, result + k * N);
    }
}
