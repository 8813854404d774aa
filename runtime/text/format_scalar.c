// Without snprintf: a simulation formats every scalar of every row. The digits of reals come from
// tml_shortest; here they get their point or exponent.
#include "runtime/text/format_scalar.h"

#include "runtime/abi/type.h"
#include "runtime/text/shortest.h"

#include <math.h>
#include <string.h>

static const char digit_pairs[] = "0001020304050607080910111213141516171819"
                                  "2021222324252627282930313233343536373839"
                                  "4041424344454647484950515253545556575859"
                                  "6061626364656667686970717273747576777879"
                                  "8081828384858687888990919293949596979899";

static const uint64_t powers[] = {1e0, 1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,
                                  1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17};

// Of a number below 10^17.
static size_t count_digits(uint64_t n) {
    unsigned bits = 64 - (unsigned)__builtin_clzll(n | 1);
    unsigned guess = bits * 1233 >> 12; // bits * log10(2), at most one too low
    return guess + (guess == 0 || n >= powers[guess]);
}

// Writes n, which has `count` digits.
static void put_integer(char *out, uint64_t n, size_t count) {
    char *c = out + count;
    while (n >= powers[8]) { // divisions of 32 bits are cheaper
        uint32_t low = (uint32_t)(n % powers[8]);
        n /= powers[8];
        for (size_t i = 0; i < 4; i++) {
            c -= 2;
            memcpy(c, digit_pairs + low % 100 * 2, 2);
            low /= 100;
        }
    }
    uint32_t high = (uint32_t)n;
    while (high >= 10) {
        c -= 2;
        memcpy(c, digit_pairs + high % 100 * 2, 2);
        high /= 100;
    }
    if (c > out) {
        *out = (char)('0' + high);
    }
}

static char *put_text(char *out, const char *text) {
    while (*text != '\0') {
        *out++ = *text++;
    }
    return out;
}

static char *put_zeros(char *out, size_t count) {
    memset(out, '0', count);
    return out + count;
}

// Digits on both sides of the point, which stands after `point` of the `count` digits.
static char *put_positional(char *out, uint64_t digits, int count, int point) {
    if (point <= 0) {
        out = put_zeros(put_text(out, "0."), (size_t)-point);
        put_integer(out, digits, (size_t)count);
        return out + count;
    }
    put_integer(out, digits, (size_t)count);
    if (count <= point) {
        return put_text(put_zeros(out + count, (size_t)(point - count)), ".0");
    }
    memmove(out + point + 1, out + point, (size_t)(count - point));
    out[point] = '.';
    return out + count + 1;
}

// One digit before the point, and an exponent of at least two digits.
static char *put_exponential(char *out, uint64_t digits, int count, int exponent) {
    put_integer(out + 1, digits, (size_t)count);
    out[0] = out[1];
    out[1] = '.';
    out += count == 1 ? 1 : count + 1;
    *out++ = 'e';
    *out++ = exponent < 0 ? '-' : '+';
    uint64_t magnitude = (uint64_t)(exponent < 0 ? -exponent : exponent);
    size_t places = magnitude < 100 ? 2 : 3;
    out[0] = '0';
    put_integer(out + (magnitude < 10), magnitude, count_digits(magnitude));
    return out + places;
}

static char *put_magnitude(char *out, double magnitude, unsigned real_bytes) {
    Decimal decimal = tml_shortest(magnitude, real_bytes);
    int count = (int)count_digits(decimal.digits);
    int point = count + decimal.exponent;
    // The bounds of L12 are decimal exponents: 1e-4 has point -3, 1e16 has point 17.
    if (point >= -3 && point <= 16) {
        return put_positional(out, decimal.digits, count, point);
    }
    return put_exponential(out, decimal.digits, count, point - 1);
}

size_t tml_format_real(char text[TML_REAL_TEXT_BYTES], double value, unsigned real_bytes) {
    char *out = text;
    if (signbit(value) && !isnan(value)) {
        *out++ = '-';
    }
    if (isnan(value)) {
        out = put_text(out, "nan");
    } else if (isinf(value)) {
        out = put_text(out, "inf");
    } else if (value == 0) {
        out = put_text(out, "0.0");
    } else {
        out = put_magnitude(out, fabs(value), real_bytes);
    }
    *out = '\0';
    return (size_t)(out - text);
}

size_t tml_format_integer(char text[TML_REAL_TEXT_BYTES], int64_t value) {
    uint64_t magnitude = value < 0 ? -(uint64_t)value : (uint64_t)value;
    size_t sign = value < 0, count = count_digits(magnitude);
    text[0] = '-';
    put_integer(text + sign, magnitude, count);
    return sign + count;
}

size_t tml_format_scalar(char text[TML_REAL_TEXT_BYTES], const tml_type *type, const void *data) {
    double value = tml_scalar_load(type, data);
    return type->root == TML_REAL ? tml_format_real(text, value, type->real_bytes)
                                  : tml_format_integer(text, (int64_t)value);
}
