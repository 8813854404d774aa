// Tokens of any spelling, with messages; parse_number.c reads the plain ones of data files.
#include "runtime/text/scalar_text.h"

#include "runtime/abi/type.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

static bool token_is(const Token *token, const char *word) {
    return token->len == strlen(word) && memcmp(token->text, word, token->len) == 0;
}

// -1 when it is none.
static int parse_truth(const Token *token) {
    if (token_is(token, "true")) {
        return 1;
    }
    return token_is(token, "false") ? 0 : -1;
}

// A decimal integer with an optional sign and an optional `u` after it. False when it is none;
// values beyond 32 bits of either sign saturate at 2^33.
static bool parse_integer(const Token *token, int64_t *value) {
    const int64_t limit = (int64_t)1 << 33;
    const char *c = token->text;
    bool negative = *c == '-';
    if (*c == '-' || *c == '+') {
        c++;
    }
    if (!isdigit((unsigned char)*c)) {
        return false;
    }
    int64_t magnitude = 0;
    for (; isdigit((unsigned char)*c); c++) {
        magnitude = magnitude * 10 + (*c - '0');
        magnitude = magnitude > limit ? limit : magnitude;
    }
    if (*c == 'u' || *c == 'U') {
        c++;
    }
    *value = negative ? -magnitude : magnitude;
    return c == token->text + token->len;
}

// A whole token that strtod or strtof takes, but for hexadecimal numbers and `nan(...)`. They skip
// white space before it, tokens have none.
static bool parse_real(const Token *token, unsigned real_bytes, double *value) {
    char *end;
    errno = 0;
    *value = real_bytes == 4 ? (double)strtof(token->text, &end) : strtod(token->text, &end);
    return token->len > 0 && end == token->text + token->len && !strpbrk(token->text, "xX(");
}

static const char *store_bool(const Token *token, void *scalar) {
    if (token->len != 1 || (token->text[0] != '0' && token->text[0] != '1')) {
        return "is not a bool (`true`, `false`, `1` or `0`)";
    }
    *(uint8_t *)scalar = token->text[0] == '1';
    return NULL;
}

static const char *store_integer(const Token *token, const tml_type *type, void *scalar) {
    bool is_int = type->root == TML_INT;
    int64_t value, least = is_int ? INT32_MIN : 0, most = is_int ? INT32_MAX : UINT32_MAX;
    if (!parse_integer(token, &value)) {
        return is_int ? "is not an int" : "is not a uint";
    }
    if (value < least || value > most) {
        return is_int ? "is outside the range of int" : "is outside the range of uint";
    }
    tml_scalar_store(type, scalar, (double)value);
    return NULL;
}

static const char *store_real(const Token *token, const tml_type *type, void *scalar) {
    double value;
    int64_t integer;
    if (!parse_real(token, type->real_bytes, &value)) {
        if (!parse_integer(token, &integer)) { // `5u`
            return "is not a number";
        }
        if (integer < 0 || integer > UINT32_MAX) {
            return "is outside the range of uint";
        }
        value = (double)integer;
    } else if (isinf(value) && errno == ERANGE) {
        return "is outside the range of real";
    }
    tml_scalar_store(type, scalar, value);
    return NULL;
}

const char *tml_scalar_parse(const tml_type *type, const Token *token, void *scalar) {
    if (token->len > TML_TOKEN_LIMIT) {
        return "is too long for a number";
    }
    if (memchr(token->text, '\0', token->len)) {
        return "has a NUL byte";
    }
    int truth = parse_truth(token);
    if (truth >= 0) {
        tml_scalar_store(type, scalar, truth);
        return NULL;
    }
    switch ((tml_root)type->root) {
    case TML_BOOL: return store_bool(token, scalar);
    case TML_UINT:
    case TML_INT: return store_integer(token, type, scalar);
    case TML_REAL: return store_real(token, type, scalar);
    }
    __builtin_unreachable();
}

bool tml_scalar_is_number(const Token *token) {
    double real;
    int64_t integer;
    return token->len <= TML_TOKEN_LIMIT &&
           (parse_truth(token) >= 0 || parse_real(token, 8, &real) ||
            parse_integer(token, &integer));
}
