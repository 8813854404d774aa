// Fast numbers against the C library's.
#include "runtime/text/format_scalar.h"
#include "runtime/text/scalar_text.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const tml_type real = {.root = TML_REAL, .real_bytes = 8};
static const tml_type single = {.root = TML_REAL, .real_bytes = 4};
static const tml_type integer = {.root = TML_INT, .real_bytes = 8};
static const tml_type natural = {.root = TML_UINT, .real_bytes = 8};
static const tml_type truth = {.root = TML_BOOL, .real_bytes = 8};

// Whether the fast way took the text; if so, the bits are strtod's and strtof's.
static bool agrees(const char *text) {
    double value = 0, expected = strtod(text, NULL);
    float narrow = 0, narrow_expected = strtof(text, NULL);
    const char *end = tml_parse_number(&real, text, &value);
    if (end) {
        cr_assert_eq(*end, '\0', "%s", text);
        cr_assert_eq(memcmp(&value, &expected, sizeof value), 0, "%s is not %a", text, value);
    }
    const char *narrow_end = tml_parse_number(&single, text, &narrow);
    if (narrow_end) {
        cr_assert_eq(memcmp(&narrow, &narrow_expected, sizeof narrow), 0, "%s", text);
    }
    return end != NULL;
}

Test(parse_number, plain_reals) {
    const char *texts[] = {"0",
                           "-0",
                           "0.0",
                           "1",
                           "-1.5",
                           "+2.25",
                           "0.1",
                           "1e22",
                           "123456789",
                           "1.5e-05",
                           "00012.50",
                           "3.14159",
                           "1E+2",
                           "1e-7",
                           "1.",
                           ".5",
                           "0.30000000000000004",
                           "1e-290",
                           "1.7e307",
                           "1e5",
                           "-2.5e-290",
                           "1234567890123456789"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        cr_expect(agrees(texts[i]), "%s", texts[i]);
    }
}

Test(parse_number, what_is_left_to_others) {
    const char *texts[] = {"",         "-",      "+",   ".",    "e5",     "1e",
                           "1e+",      "nan",    "inf", "-inf", "0x1",    "1e400",
                           "--1",      "1e-400", "x",   " 1",   "1e0001", "12345678901234567890",
                           "4.9e-324", "1e309"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        double value;
        const char *end = tml_parse_number(&real, texts[i], &value);
        cr_expect(!end || *end != '\0', "%s", texts[i]);
    }
}

// Middles between two doubles, and what is just beside them.
Test(parse_number, near_ties) {
    const char *texts[] = {
        "9007199254740993",     "9007199254740992.5",  "9007199254740994.5", "9007199254740993.001",
        "9007199254740992.999", "4503599627370496.5",  "4503599627370497.5", "1.00000005960464478",
        "1.000000059604644775", "1.0000000596046447",  "16777217",           "16777219",
        "9223372036854774784",  "9223372036854775296", "9223372036854776832"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        agrees(texts[i]);
    }
}

static uint64_t next_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

Test(parse_number, random_decimals) {
    uint64_t state = 0x9E3779B97F4A7C15u;
    size_t taken = 0;
    const size_t count = 300000;
    for (size_t i = 0; i < count; i++) {
        char text[64];
        uint64_t digits = next_random(&state) >> next_random(&state) % 64;
        if (digits >= 10000000000000000000u) {
            digits /= 10;
        }
        int exponent = (int)(next_random(&state) % 700) - 350;
        snprintf(text, sizeof text, "%llue%d", (unsigned long long)digits, exponent);
        taken += agrees(text);
    }
    cr_expect_gt(taken, count / 2, "%zu", taken);
}

// What is printed is read the fast way, nearly always.
Test(parse_number, random_doubles_come_back) {
    uint64_t state = 0x2545F4914F6CDD1Du;
    size_t taken = 0, normal = 0;
    for (size_t i = 0; i < 300000; i++) {
        uint64_t bits = next_random(&state);
        double value;
        char text[TML_REAL_TEXT_BYTES];
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value)) {
            continue;
        }
        tml_format_real(text, value, 8);
        normal += fabs(value) > 1e-270;
        taken += agrees(text) && fabs(value) > 1e-270;
    }
    cr_expect_gt(taken, normal / 100 * 99, "%zu of %zu", taken, normal);
}

Test(parse_number, integers) {
    int32_t value;
    const char *text = "-123456789,";
    cr_expect_eq(tml_parse_number(&integer, text, &value), text + 10);
    cr_expect_eq(value, -123456789);
    cr_expect_null(tml_parse_number(&integer, "2147483647", &value), "ten digits may be too large");
    cr_expect_null(tml_parse_number(&natural, "-1", &value));
    cr_expect_null(tml_parse_number(&integer, "x", &value));
    uint8_t flag = 9;
    cr_expect_eq(*tml_parse_number(&truth, "1;", &flag), ';');
    cr_expect_eq(flag, 1);
    cr_expect_null(tml_parse_number(&truth, "2", &flag));
}
