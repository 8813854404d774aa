// The fewest digits are found by trying: a decimal of at most 15 digits survives the way to double
// and back (C11 5.2.4.2.2, DBL_DIG), so no result is shorter than what remains of 15 digits without
// their trailing zeros, and 17 always suffice.
#include "runtime/format_real.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS_LIMIT = 17 };

// value = 0.d1 d2 d3... * 10^point
typedef struct Decimal {
    char digits[DIGITS_LIMIT + 1];
    size_t count;
    int point;
} Decimal;

static bool reads_back(const char *text, double value, unsigned real_bytes) {
    return real_bytes == 4 ? strtof(text, NULL) == (float)value : strtod(text, NULL) == value;
}

// Adds one to the last digit of "d.ddde+xx". False when it is a 9, which cannot be part of a
// shortest text.
static bool increment_last_digit(char *text) {
    char *last = strchr(text, 'e') - 1;
    if (*last == '9') {
        return false;
    }
    ++*last;
    return true;
}

// The closest decimal of `count` digits, as "d.ddde+xx", if it reads back. Below a power of two the
// doubles are twice as dense as above it, so there the next decimal above may read back where the
// closest does not (2^-44 is one).
static bool try_digits(char text[TML_REAL_TEXT_BYTES], int count, double magnitude,
                       unsigned real_bytes) {
    snprintf(text, TML_REAL_TEXT_BYTES, "%.*e", count - 1, magnitude);
    if (reads_back(text, magnitude, real_bytes)) {
        return true;
    }
    int exponent;
    bool power_of_two = frexp(magnitude, &exponent) == 0.5;
    return power_of_two && increment_last_digit(text) && reads_back(text, magnitude, real_bytes);
}

static void drop_trailing_zeros(Decimal *decimal) {
    while (decimal->count > 1 && decimal->digits[decimal->count - 1] == '0') {
        decimal->count--;
    }
}

// The common case without text: n / 10^places for an n of at most 15 digits. Both are exact and a
// division rounds once, so equality means that the decimal reads back (Clinger, PLDI 1990);
// decimals of at most 15 digits never share a double, so it is the only one that short.
static bool try_few_places(double magnitude, Decimal *decimal) {
    enum { PLACES_LIMIT = 6 };
    double power = 1;
    for (int places = 0; places <= PLACES_LIMIT && magnitude * power < 1e15; places++) {
        uint64_t n = (uint64_t)(magnitude * power + 0.5);
        if ((double)n / power == magnitude) {
            decimal->count = (size_t)snprintf(decimal->digits, sizeof decimal->digits, "%llu",
                                              (unsigned long long)n);
            decimal->point = (int)decimal->count - places;
            drop_trailing_zeros(decimal);
            return true;
        }
        power *= 10;
    }
    return false;
}

static Decimal shortest(double magnitude, unsigned real_bytes) {
    char text[TML_REAL_TEXT_BYTES];
    int count = real_bytes == 4 ? FLT_DIG : DBL_DIG;
    if (magnitude < (real_bytes == 4 ? (double)FLT_MIN : DBL_MIN)) {
        count = 1; // subnormals have fewer digits than the promise above needs
    }
    while (!try_digits(text, count, magnitude, real_bytes)) {
        count++;
    }
    Decimal decimal = {.count = 0};
    for (const char *c = text; *c != 'e'; c++) {
        if (*c != '.') {
            decimal.digits[decimal.count++] = *c;
        }
    }
    decimal.point = (int)strtol(strchr(text, 'e') + 1, NULL, 10) + 1;
    drop_trailing_zeros(&decimal);
    return decimal;
}

static char *put(char *out, const char *digits, size_t count) {
    memcpy(out, digits, count);
    return out + count;
}

static char *put_zeros(char *out, size_t count) {
    memset(out, '0', count);
    return out + count;
}

// Digits on both sides of the point.
static char *put_positional(char *out, const Decimal *decimal) {
    if (decimal->point <= 0) {
        out = put(out, "0.", 2);
        out = put_zeros(out, (size_t)-decimal->point);
        return put(out, decimal->digits, decimal->count);
    }
    size_t whole = (size_t)decimal->point;
    if (decimal->count <= whole) {
        out = put(out, decimal->digits, decimal->count);
        out = put_zeros(out, whole - decimal->count);
        return put(out, ".0", 2);
    }
    out = put(out, decimal->digits, whole);
    *out++ = '.';
    return put(out, decimal->digits + whole, decimal->count - whole);
}

static char *put_exponential(char *out, const Decimal *decimal) {
    *out++ = decimal->digits[0];
    if (decimal->count > 1) {
        *out++ = '.';
        out = put(out, decimal->digits + 1, decimal->count - 1);
    }
    return out + snprintf(out, sizeof "e+308", "e%+03d", decimal->point - 1);
}

size_t tml_format_real(char text[TML_REAL_TEXT_BYTES], double value, unsigned real_bytes) {
    char *out = text;
    if (isnan(value)) {
        out = put(out, "nan", 3);
        *out = '\0';
        return (size_t)(out - text);
    }
    if (signbit(value)) {
        *out++ = '-';
    }
    double magnitude = fabs(value);
    if (isinf(value)) {
        out = put(out, "inf", 3);
    } else if (magnitude == 0) {
        out = put(out, "0.0", 3);
    } else {
        Decimal decimal;
        if (real_bytes == 4 || !try_few_places(magnitude, &decimal)) {
            decimal = shortest(magnitude, real_bytes);
        }
        // The bounds of L12 are decimal exponents: 1e-4 has point -3, 1e16 has point 17.
        bool positional = decimal.point >= -3 && decimal.point <= 16;
        out = positional ? put_positional(out, &decimal) : put_exponential(out, &decimal);
    }
    *out = '\0';
    return (size_t)(out - text);
}
