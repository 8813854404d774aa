void KERNEL(const uint32_t *restrict x, uint32_t *restrict result) {
    for (int i = 0; i < 65536; i++) {
        uint32_t a = x[i] ^ x[i] << 13, b = a ^ a >> 17, c = b ^ b << 5;
        result[i] = (c & 0xFF00FF00u) >> 8 | (c & 0x00FF00FFu) << 8;
    }
}
