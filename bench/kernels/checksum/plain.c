void KERNEL(const uint32_t *restrict x, uint32_t *restrict result) {
    for (int i = 0; i < 1024; i++) {
        uint32_t hash = 2166136261u;
        for (int k = 0; k < 16; k++) {
            hash = (hash ^ x[i * 16 + k]) * 16777619u;
        }
        result[i] = hash;
    }
}
