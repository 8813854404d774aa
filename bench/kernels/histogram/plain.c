void KERNEL(const uint32_t *restrict x, int32_t *restrict result) {
    for (int i = 0; i < 256; i++) {
        result[i] = 0;
    }
    for (int i = 0; i < 16384; i++) {
        result[x[i] & 255]++;
    }
}
