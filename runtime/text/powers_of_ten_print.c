// Prints the rows of powers_of_ten.c while the runtime is built, with integers of any length:
// powers of ten for the positive ones, a power of two divided by ten again and again for the
// others, which has the same highest bits and never ends.
#include "runtime/text/powers_of_ten.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

enum { WORDS = 64, WORD_BITS = 32, KEPT_BITS = 128 };

// A natural number, lowest word first.
typedef struct Natural {
    uint32_t words[WORDS];
} Natural;

static void multiply_by_ten(Natural *n) {
    uint64_t carry = 0;
    for (size_t i = 0; i < WORDS; i++) {
        carry += (uint64_t)n->words[i] * 10;
        n->words[i] = (uint32_t)carry;
        carry >>= WORD_BITS;
    }
}

static void divide_by_ten(Natural *n) {
    uint64_t rest = 0;
    for (size_t i = WORDS; i-- > 0;) {
        rest = rest << WORD_BITS | n->words[i];
        n->words[i] = (uint32_t)(rest / 10);
        rest %= 10;
    }
}

static bool bit(const Natural *n, int index) {
    return index >= 0 && (n->words[index / WORD_BITS] >> index % WORD_BITS & 1) != 0;
}

// The highest bits, and one more if any below them is set.
static void print_row(const Natural *n) {
    unsigned __int128 kept = 0;
    bool is_exact = true;
    int highest = WORDS * WORD_BITS - 1;
    while (!bit(n, highest)) {
        highest--;
    }
    for (int i = 0; i <= highest || i < KEPT_BITS; i++) {
        kept = i < KEPT_BITS ? kept << 1 | bit(n, highest - i) : kept;
        is_exact = is_exact && !(i >= KEPT_BITS && bit(n, highest - i));
    }
    kept += !is_exact;
    printf("{0x%016" PRIx64 ", 0x%016" PRIx64 "},\n", (uint64_t)(kept >> 64), (uint64_t)kept);
}

int main(void) {
    for (int power = TML_POWER_MIN; power <= TML_POWER_MAX; power++) {
        Natural n = {{0}};
        n.words[power < 0 ? WORDS - 1 : 0] = 1;
        for (int i = power; i < 0; i++) {
            divide_by_ten(&n);
        }
        for (int i = 0; i < power; i++) {
            multiply_by_ten(&n);
        }
        print_row(&n);
    }
    return 0;
}
