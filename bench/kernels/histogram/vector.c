#include <string.h>

/* Four tables: equal neighbours do not wait for each other. */
void KERNEL(const uint32_t *restrict x, int32_t *restrict result) {
    int32_t counts[4][256];
    memset(counts, 0, sizeof(counts));
    for (int i = 0; i < 16384; i += 4) {
        counts[0][x[i] & 255]++;
        counts[1][x[i + 1] & 255]++;
        counts[2][x[i + 2] & 255]++;
        counts[3][x[i + 3] & 255]++;
    }
    for (int i = 0; i < 256; i++) {
        result[i] = (counts[0][i] + counts[1][i]) + (counts[2][i] + counts[3][i]);
    }
}
