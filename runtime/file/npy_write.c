// The header of a .npy file and the bytes of a value. A header that counts rows is as long for any
// number of them, so that a simulation can write it again in its place.
#include "runtime/abi/type.h"
#include "runtime/file/formats.h"
#include "runtime/file/npy.h"

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

// The dictionary; a tuple of one element ends in a comma, as Python wants it.
static size_t format_dictionary(char text[TML_NPY_HEADER_BYTES], const tml_type *type,
                                const uint64_t *rows) {
    const size_t size = TML_NPY_HEADER_BYTES;
    size_t used = (size_t)snprintf(text, size, "{'descr': '%s', 'fortran_order': False, 'shape': (",
                                   tml_npy_dtype(type));
    if (rows) {
        used += (size_t)snprintf(text + used, size - used, "%llu,", (unsigned long long)*rows);
    }
    for (size_t i = 0; i < type->flat_rank; i++) {
        size_t at = i + (rows != NULL);
        const char *format = at == 0 ? "%u," : at == 1 ? " %u" : ", %u";
        used += (size_t)snprintf(text + used, size - used, format, type->dims[i]);
    }
    return used + (size_t)snprintf(text + used, size - used, "), }");
}

size_t tml_npy_format_header(char bytes[TML_NPY_HEADER_BYTES], const tml_type *type,
                             const uint64_t *rows) {
    enum { PREFIX = TML_NPY_MAGIC_BYTES + 4 }; // magic, version, length
    char text[TML_NPY_HEADER_BYTES];
    const uint64_t most = UINT64_MAX;
    size_t end = format_dictionary(text, type, rows ? &most : NULL);
    size_t used = format_dictionary(text, type, rows);
    while (used < end || (PREFIX + used + 1) % TML_NPY_ALIGNMENT != 0) {
        text[used++] = ' ';
    }
    text[used++] = '\n';
    memcpy(bytes, TML_NPY_MAGIC "\x01\x00", TML_NPY_MAGIC_BYTES + 2);
    bytes[TML_NPY_MAGIC_BYTES + 2] = (char)(used & 0xFF);
    bytes[TML_NPY_MAGIC_BYTES + 3] = (char)(used >> 8);
    memcpy(bytes + PREFIX, text, used);
    return PREFIX + used;
}

void tml_npy_write(Writer *out, const tml_type *type, const void *data) {
    char bytes[TML_NPY_HEADER_BYTES];
    tml_write_bytes(out, bytes, tml_npy_format_header(bytes, type, NULL));
    tml_write_bytes(out, data, tml_type_numel(type) * tml_scalar_bytes(type));
}
