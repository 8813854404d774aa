static int steps(uint32_t x) {
    int count = 0;
    for (; x > 1; count++) {
        x = (x & 1) == 0 ? x >> 1 : 3 * x + 1;
    }
    return count;
}

void KERNEL(const uint32_t *restrict x, int32_t *restrict result) {
    for (int i = 0; i < 2048; i++) {
        result[i] = steps(x[i]);
    }
}
