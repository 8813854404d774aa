#include "runtime/batch/noise.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

// The known answers of the authors' library (Random123, kat_vectors).
Test(philox, gives_the_known_answers) {
    static const struct {
        uint32_t counter[4], key[2], block[4];
    } known[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         {0xffffffff, 0xffffffff},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        uint32_t counter[4];
        memcpy(counter, known[i].counter, sizeof counter);
        tml_philox(counter, known[i].key);
        cr_assert_eq(memcmp(counter, known[i].block, sizeof counter), 0, "%zu", i);
    }
}

// The distribution function, of the C library, takes a draw back to the uniform number that it was
// made from, as well as a double can hold it.
Test(normal, inverts_the_distribution_function) {
    for (uint64_t count = 0; count < 100000; count++) {
        uint32_t block[4] = {(uint32_t)count, 0, 0, 0};
        tml_philox(block, (const uint32_t[2]){7, 1});
        double p = ((double)(((uint64_t)block[0] << 32 | block[1]) >> 12) + 0.5) * 0x1p-52;
        double x = tml_normal((1ULL << 32) + 7, count);
        double back = 0.5 * erfc(-x / sqrt(2));
        double least = p < 0.5 ? p : 1 - p;
        cr_assert(fabs(back - p) <= 8e-16 * (1 + x * x) * fmax(least, 0x1p-52) + 2.3e-16,
                  "%llu: %g %g", (unsigned long long)count, p, back);
    }
}

Test(exponential, is_that_of_the_c_library) {
    for (int i = -7450; i <= 7090; i++) {
        double x = i * 0.1, expected = exp(x), error = fabs(tml_exponential(x) - expected);
        cr_assert(error <= 8e-16 * expected + 5e-324, "%g: %.17g is not %.17g", x,
                  tml_exponential(x), expected);
    }
    cr_assert_eq(tml_exponential(0), 1);
    cr_assert_eq(tml_exponential(-1e300), 0);
    cr_assert_eq(tml_exponential(1e300), (double)INFINITY);
    cr_assert(isnan(tml_exponential((double)NAN)));
}
