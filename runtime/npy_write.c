#include "runtime/formats.h"
#include "runtime/npy.h"
#include "runtime/type.h"

#include <stdio.h>

const char *tml_npy_dtype(const tml_type *type) {
    switch ((tml_root)type->root) {
    case TML_BOOL: return "|b1";
    case TML_UINT: return "<u4";
    case TML_INT: return "<i4";
    case TML_REAL: return type->real_bytes == 4 ? "<f4" : "<f8";
    }
    __builtin_unreachable();
}

// Enough for 512 dims (L2.2) of ten digits.
enum { HEADER_BYTES = 8192 };

// The dictionary; a tuple of one element ends in a comma, as Python wants it.
static size_t format_dictionary(char text[HEADER_BYTES], const tml_type *type) {
    int used = snprintf(text, HEADER_BYTES, "{'descr': '%s', 'fortran_order': False, 'shape': (",
                        tml_npy_dtype(type));
    for (size_t i = 0; i < type->flat_rank; i++) {
        const char *format = i == 0 ? "%u," : i == 1 ? " %u" : ", %u";
        used += snprintf(text + used, HEADER_BYTES - (size_t)used, format, type->dims[i]);
    }
    used += snprintf(text + used, HEADER_BYTES - (size_t)used, "), }");
    return (size_t)used;
}

void tml_npy_write(Writer *out, const tml_type *type, const void *data) {
    enum { PREFIX = TML_NPY_MAGIC_BYTES + 4 }; // magic, version, length
    char text[HEADER_BYTES];
    size_t used = format_dictionary(text, type);
    while ((PREFIX + used + 1) % TML_NPY_ALIGNMENT != 0) {
        text[used++] = ' ';
    }
    text[used++] = '\n';
    tml_write_bytes(out, TML_NPY_MAGIC "\x01\x00", TML_NPY_MAGIC_BYTES + 2);
    tml_write_char(out, (char)(used & 0xFF));
    tml_write_char(out, (char)(used >> 8));
    tml_write_bytes(out, text, used);
    tml_write_bytes(out, data, tml_type_numel(type) * tml_scalar_bytes(type));
}
