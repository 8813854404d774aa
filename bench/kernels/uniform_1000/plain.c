#include <stdint.h>

enum { N = 1000 };

static double unit(uint32_t high, uint32_t low) {
    return ((high >> 5) * 67108864.0 + (low >> 6)) / 9007199254740992.0;
}

/* Philox4x32-10 of Salmon and others, Parallel random numbers: as easy as 1, 2, 3, SC11. */
void KERNEL(uint32_t seed, uint32_t step, double *restrict result) {
    for (uint32_t block = 0; block < N / 2; block++) {
        uint32_t a = block, b = step, c = 0, d = 0, key = seed, other = 0;
        for (int turn = 0; turn < 10; turn++) {
            uint64_t p = 0xD2511F53ull * a, q = 0xCD9E8D57ull * c;
            a = (uint32_t)(q >> 32) ^ b ^ key;
            b = (uint32_t)q;
            c = (uint32_t)(p >> 32) ^ d ^ other;
            d = (uint32_t)p;
            key += 0x9E3779B9u;
            other += 0xBB67AE85u;
        }
        result[2 * block] = unit(a, b);
        result[2 * block + 1] = unit(c, d);
    }
}
