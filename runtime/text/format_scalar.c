#include "runtime/text/format_scalar.h"

#include <string.h>

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

static double read_real(const void *data, unsigned real_bytes) {
    if (real_bytes == 4) {
        float single;
        memcpy(&single, data, sizeof single);
        return (double)single;
    }
    double value;
    memcpy(&value, data, sizeof value);
    return value;
}

size_t tml_format_scalar(char text[TML_REAL_TEXT_BYTES], const tml_type *type, const void *data) {
    uint32_t bits;
    switch ((tml_root)type->root) {
    case TML_BOOL: text[0] = *(const uint8_t *)data != 0 ? '1' : '0'; return 1;
    case TML_UINT: memcpy(&bits, data, sizeof bits); return tml_format_integer(text, bits);
    case TML_INT: memcpy(&bits, data, sizeof bits); return tml_format_integer(text, (int32_t)bits);
    case TML_REAL:
        return tml_format_real(text, read_real(data, type->real_bytes), type->real_bytes);
    }
    __builtin_unreachable();
}
