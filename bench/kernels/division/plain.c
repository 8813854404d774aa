void KERNEL(const int32_t *restrict x, const int32_t *restrict y, int32_t *restrict result) {
    for (int i = 0; i < 8192; i++) {
        int32_t quotient = x[i] / y[i], rest = x[i] % y[i];
        result[i] = (int32_t)(31u * (uint32_t)quotient + (uint32_t)rest);
    }
}
