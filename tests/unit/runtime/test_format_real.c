// Reals as text (L12): tables of spellings; then every power of two and random bits, which must
// read back as they were and have no shorter spelling that does.
#include "runtime/text/format_scalar.h"

#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    double value;
    const char *expected;
} doubles[] = {
    {0.0, "0.0"},
    {-0.0, "-0.0"},
    {1.0, "1.0"},
    {-2.5, "-2.5"},
    {1000.0, "1000.0"},
    {0.1, "0.1"},
    {0.1 + 0.2, "0.30000000000000004"},
    {1.0 / 3.0, "0.3333333333333333"},
    {100.0, "100.0"},
    {123456.789, "123456.789"},
    {9007199254740993.0, "9007199254740992.0"},
    {9999999999999998.0, "9999999999999998.0"},
    {1e15, "1000000000000000.0"},
    {1e16, "1e+16"},
    {12345678901234567890.0, "1.2345678901234567e+19"},
    {1e22, "1e+22"},
    {1e23, "1e+23"},
    {1e100, "1e+100"},
    {0.0001, "0.0001"},
    {0.00012, "0.00012"},
    {0.00001, "1e-05"},
    {0.000015, "1.5e-05"},
    {9.999e-5, "9.999e-05"},
    {5.684341886080802e-14, "5.684341886080802e-14"},
    {9.5367431640625e-07, "9.5367431640625e-07"},
    {DBL_MAX, "1.7976931348623157e+308"},
    {DBL_MIN, "2.2250738585072014e-308"},
    {4.9406564584124654e-324, "5e-324"},
    {-1.5e-323, "-1.5e-323"},
    {INFINITY, "inf"},
    {-INFINITY, "-inf"},
    {NAN, "nan"},
};

Test(format_real, doubles) {
    for (size_t i = 0; i < sizeof doubles / sizeof doubles[0]; i++) {
        char text[TML_REAL_TEXT_BYTES];
        size_t len = tml_format_real(text, doubles[i].value, 8);
        cr_expect_str_eq(text, doubles[i].expected, "%s, not %s", text, doubles[i].expected);
        cr_expect_eq(len, strlen(text));
    }
}

static const struct {
    float value;
    const char *expected;
} singles[] = {
    {0.1f, "0.1"},
    {1.0f / 3.0f, "0.33333334"},
    {16777216.0f, "16777216.0"},
    {3.4028235e38f, "3.4028235e+38"},
    {1.1754944e-38f, "1.1754944e-38"},
    {1e-45f, "1e-45"},
    {1e-4f, "0.0001"},
    {9.8607613e-32f, "9.8607613e-32"},
};

Test(format_real, singles) {
    for (size_t i = 0; i < sizeof singles / sizeof singles[0]; i++) {
        char text[TML_REAL_TEXT_BYTES];
        tml_format_real(text, (double)singles[i].value, 4);
        cr_expect_str_eq(text, singles[i].expected, "%s, not %s", text, singles[i].expected);
    }
}

static size_t count_digits(const char *text) {
    char digits[TML_REAL_TEXT_BYTES];
    size_t count = 0;
    for (const char *c = text; *c != '\0' && *c != 'e'; c++) {
        if (*c >= '0' && *c <= '9' && (count > 0 || *c != '0')) {
            digits[count++] = *c;
        }
    }
    while (count > 1 && digits[count - 1] == '0') {
        count--;
    }
    return count;
}

static bool reads_as(const char *text, double value, unsigned bytes) {
    return bytes == 4 ? strtof(text, NULL) == (float)value : strtod(text, NULL) == value;
}

// No decimal of one digit less reads back: neither the closest one nor those beside it.
static bool is_shortest(const char *text, double magnitude, unsigned bytes) {
    size_t digits = count_digits(text);
    if (digits == 1) {
        return true;
    }
    char closest[64];
    snprintf(closest, sizeof closest, "%.*e", (int)digits - 2, magnitude);
    char *exponent = strchr(closest, 'e');
    int scale = atoi(exponent + 1) - ((int)digits - 2);
    long long mantissa = 0;
    for (const char *c = closest; c < exponent; c++) {
        mantissa = *c == '.' ? mantissa : mantissa * 10 + (*c - '0');
    }
    for (long long step = -1; step <= 1; step++) {
        char candidate[64];
        snprintf(candidate, sizeof candidate, "%llde%d", mantissa + step, scale);
        if (reads_as(candidate, magnitude, bytes)) {
            return false;
        }
    }
    return true;
}

static void expect_shortest(double value, unsigned bytes) {
    char text[TML_REAL_TEXT_BYTES];
    tml_format_real(text, value, bytes);
    cr_expect(reads_as(text, value, bytes), "%s is not %a", text, value);
    cr_expect(is_shortest(text[0] == '-' ? text + 1 : text, fabs(value), bytes),
              "%s is not the shortest for %a", text, value);
}

Test(format_real, every_power_of_two) {
    for (int exponent = -1074; exponent <= 1023; exponent++) {
        expect_shortest(ldexp(1.0, exponent), 8);
    }
    for (int exponent = -149; exponent <= 127; exponent++) {
        expect_shortest(ldexp(1.0, exponent), 4);
    }
}

Test(format_real, random_bits_read_back) {
    uint64_t bits = 0x9E3779B97F4A7C15u;
    for (int i = 0; i < 20000; i++) {
        bits = bits * 6364136223846793005u + 1442695040888963407u;
        double value;
        float single;
        memcpy(&value, &bits, sizeof value);
        uint32_t high = (uint32_t)(bits >> 32);
        memcpy(&single, &high, sizeof single);
        if (isfinite(value)) {
            expect_shortest(value, 8);
        }
        if (isfinite(single)) {
            expect_shortest((double)single, 4);
        }
        expect_shortest((double)(bits >> 40) / 1000.0, 8);
        expect_shortest((double)(bits >> 12) / 1e6, 8);
        expect_shortest((double)(bits >> 8), 8);
    }
}
