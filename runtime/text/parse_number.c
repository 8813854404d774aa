// A decimal m * 10^e with m below 2^53 and |e| <= 22 takes one operation on two exact doubles,
// which rounds once (Clinger, PLDI 1990). Others multiply m by a 128-bit power of ten: the result
// is off by less than one unit of the 128 bits that are kept, so it rounds right unless it lies
// within one unit of the middle between two doubles (Lemire, "Number parsing at a gigabyte per
// second", 2021, decides those too; here they are left to strtod).
#include "runtime/text/powers_of_ten.h"
#include "runtime/text/scalar_text.h"

#include <stdbool.h>
#include <string.h>

typedef struct Decimal {
    uint64_t digits;
    int exponent;
    bool negative;
} Decimal;

enum { DIGITS_LIMIT = 19 }; // always fit 64 bits

static bool is_digit(char c) {
    return (unsigned char)(c - '0') <= 9;
}

static const char *read_digits(const char *c, uint64_t *digits) {
    uint64_t n = *digits;
    while (is_digit(*c)) {
        n = n * 10 + (uint64_t)(*c++ - '0');
    }
    *digits = n;
    return c;
}

// "e-12", at most three digits.
static const char *read_exponent(const char *c, int *exponent) {
    bool negative = *c == '-';
    if (*c == '-' || *c == '+') {
        c++;
    }
    uint64_t n = 0;
    const char *end = read_digits(c, &n);
    if (end == c || end - c > 3) {
        return NULL;
    }
    *exponent += negative ? -(int)n : (int)n;
    return end;
}

static const char *read_decimal(const char *c, Decimal *decimal) {
    decimal->negative = *c == '-';
    if (*c == '-' || *c == '+') {
        c++;
    }
    decimal->digits = 0;
    decimal->exponent = 0;
    while (*c == '0' && is_digit(c[1])) {
        c++;
    }
    const char *start = c;
    c = read_digits(c, &decimal->digits);
    int64_t count = c - start;
    if (*c == '.') {
        const char *point = c++;
        c = read_digits(c, &decimal->digits);
        decimal->exponent = (int)(point + 1 - c);
        count = c - start - 1;
    }
    if (count == 0 || count > DIGITS_LIMIT) {
        return NULL;
    }
    return *c == 'e' || *c == 'E' ? read_exponent(c + 1, &decimal->exponent) : c;
}

// The double closest to digits * 10^exponent. False where this way cannot tell, and for subnormals
// and infinities.
static bool multiply(uint64_t digits, int exponent, double *value) {
    if (exponent < TML_POWER_MIN || exponent > TML_POWER_MAX) {
        return false;
    }
    int shift = __builtin_clzll(digits);
    PowerOfTen power = tml_powers_of_ten[exponent - TML_POWER_MIN];
    unsigned __int128 low = (unsigned __int128)power.low * (digits << shift);
    unsigned __int128 product =
        (unsigned __int128)power.high * (digits << shift) + (uint64_t)(low >> 64);
    bool is_high = (uint64_t)(product >> 127) != 0;
    int drop = 128 - 53 - !is_high;
    unsigned __int128 one = 1;
    unsigned __int128 half = one << (drop - 1);
    unsigned __int128 rest = product & ((one << drop) - 1);
    if (rest + 1 >= half && rest <= half + 1) {
        return false;
    }
    uint64_t significand = (uint64_t)(product >> drop) + (rest > half);
    // 2^53 after rounding up carries into the exponent by itself, since bits are added.
    int binary = tml_log2_of_power(exponent) + 63 - shift + is_high;
    if (binary < -1021 || binary > 1022) {
        return false;
    }
    uint64_t bits = ((uint64_t)(binary + 1022) << 52) + significand;
    memcpy(value, &bits, sizeof *value);
    return true;
}

static bool convert(const Decimal *decimal, double *value) {
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    uint64_t digits = decimal->digits;
    int exponent = decimal->exponent;
    if (digits >> 53 == 0 && exponent >= -22 && exponent <= 22) {
        double n = (double)digits;
        *value = exponent < 0 ? n / powers[-exponent] : n * powers[exponent];
    } else if (digits == 0) {
        *value = 0;
    } else if (!multiply(digits, exponent, value)) {
        return false;
    }
    *value = decimal->negative ? -*value : *value;
    return true;
}

// Rounding to double and then to single rounds right unless the double is the middle between two
// singles. False then, and for subnormals and infinities.
static bool round_to_single(double value, float *single) {
    const uint64_t dropped = ((uint64_t)1 << 29) - 1;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    int exponent = (int)(bits >> 52 & 0x7FF) - 1023;
    bool is_plain = exponent >= -126 && exponent < 127 && (bits & dropped) != (dropped + 1) / 2;
    *single = (float)value;
    return is_plain || value == 0;
}

static const char *parse_real(const tml_type *type, const char *text, void *scalar) {
    Decimal decimal;
    double value;
    const char *end = read_decimal(text, &decimal);
    if (!end || !convert(&decimal, &value)) {
        return NULL;
    }
    if (type->real_bytes == 8) {
        memcpy(scalar, &value, sizeof value);
        return end;
    }
    float single;
    if (!round_to_single(value, &single)) {
        return NULL;
    }
    memcpy(scalar, &single, sizeof single);
    return end;
}

static const char *parse_integer(const tml_type *type, const char *text, void *scalar) {
    enum { PLAIN_DIGITS = 9 }; // fit int as well as uint
    bool negative = *text == '-' && type->root == TML_INT;
    const char *digits = text + negative;
    uint64_t n = 0;
    const char *end = read_digits(digits, &n);
    if (end == digits || end - digits > PLAIN_DIGITS) {
        return NULL;
    }
    int32_t value = negative ? -(int32_t)n : (int32_t)n;
    memcpy(scalar, &value, sizeof value);
    return end;
}

const char *tml_parse_number(const tml_type *type, const char *text, void *scalar) {
    switch ((tml_root)type->root) {
    case TML_BOOL:
        if (*text != '0' && *text != '1') {
            return NULL;
        }
        *(uint8_t *)scalar = *text == '1';
        return text + 1;
    case TML_UINT:
    case TML_INT: return parse_integer(type, text, scalar);
    case TML_REAL: return parse_real(type, text, scalar);
    }
    __builtin_unreachable();
}
