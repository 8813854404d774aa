// Without snprintf: a simulation formats every scalar of every row.
#include "runtime/text/format_scalar.h"

#include "runtime/abi/type.h"

size_t tml_format_integer(char text[TML_INTEGER_TEXT_BYTES], int64_t value) {
    char digits[TML_INTEGER_TEXT_BYTES];
    char *end = digits + sizeof digits;
    char *c = end;
    uint64_t magnitude = value < 0 ? -(uint64_t)value : (uint64_t)value;
    do {
        *--c = (char)('0' + magnitude % 10);
        magnitude /= 10;
    } while (magnitude > 0);
    if (value < 0) {
        *--c = '-';
    }
    memcpy(text, c, (size_t)(end - c));
    return (size_t)(end - c);
}

size_t tml_format_scalar(char text[TML_REAL_TEXT_BYTES], const tml_type *type, const void *data) {
    double value = tml_scalar_load(type, data);
    if (type->root == TML_REAL) {
        return tml_format_real(text, value, type->real_bytes);
    }
    return tml_format_integer(text, (int64_t)value);
}
