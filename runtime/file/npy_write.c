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

// The dims of a tuple; one of one element ends in a comma, as Python wants it.
static size_t format_dims(char *text, size_t size, const tml_type *type, const uint64_t *rows) {
    size_t used = rows ? (size_t)snprintf(text, size, "%llu,", (unsigned long long)*rows) : 0;
    for (size_t i = 0; i < type->flat_rank && used < size; i++) {
        size_t at = i + (rows != NULL);
        const char *format = at == 0 ? "%u," : at == 1 ? " %u" : ", %u";
        used += (size_t)snprintf(text + used, size - used, format, type->dims[i]);
    }
    return used;
}

static const tml_type scalar = {.root = TML_REAL, .real_bytes = 8};

// The dictionary, with dtypes as Python writes them.
static size_t format_dictionary(char text[TML_NPY_HEADER_BYTES], const char *dtype,
                                const tml_type *type, const uint64_t *rows) {
    const size_t size = TML_NPY_HEADER_BYTES;
    size_t used =
        (size_t)snprintf(text, size, "{'descr': %s, 'fortran_order': False, 'shape': (", dtype);
    used += format_dims(text + used, size - used, type, rows);
    return used + (size_t)snprintf(text + used, size - used, "), }");
}

static size_t format_header(char bytes[TML_NPY_HEADER_BYTES], const char *dtype,
                            const tml_type *type, const uint64_t *rows) {
    enum { PREFIX = TML_NPY_MAGIC_BYTES + 4 }; // magic, version, length
    char text[TML_NPY_HEADER_BYTES];
    const uint64_t most = UINT64_MAX;
    size_t end = format_dictionary(text, dtype, type, rows ? &most : NULL);
    size_t used = format_dictionary(text, dtype, type, rows);
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

size_t tml_npy_format_header(char bytes[TML_NPY_HEADER_BYTES], const tml_type *type,
                             const uint64_t *rows) {
    char dtype[TML_NPY_DTYPE_BYTES];
    snprintf(dtype, sizeof dtype, "'%s'", tml_npy_dtype(type));
    return format_header(bytes, dtype, type, rows);
}

void tml_npy_record_begin(NpyRecord *record) {
    record->used = 1;
    memcpy(record->text, "[", sizeof "[");
}

// The field is the text, which has a dtype and perhaps dims.
static void add_field(NpyRecord *record, const char *name, const char *field) {
    const size_t size = sizeof record->text;
    if (record->used == 0) {
        return;
    }
    record->used += (size_t)snprintf(record->text + record->used, size - record->used,
                                     "%s('%s', %s)", record->used > 1 ? ", " : "", name, field);
    record->used = record->used + sizeof "]" <= size ? record->used : 0;
}

void tml_npy_record_add(NpyRecord *record, const char *name, const tml_type *type, bool is_whole) {
    char dims[TML_NPY_HEADER_BYTES], field[TML_NPY_HEADER_BYTES + TML_NPY_DTYPE_BYTES];
    dims[format_dims(dims, sizeof dims, type, NULL)] = '\0';
    bool has_dims = is_whole && type->flat_rank > 0;
    snprintf(field, sizeof field, "'%s'%s%s%s", tml_npy_dtype(type), has_dims ? ", (" : "",
             has_dims ? dims : "", has_dims ? ")" : "");
    add_field(record, name, field);
}

void tml_npy_record_add_texts(NpyRecord *record, const char *name, size_t width, size_t count) {
    char field[TML_NPY_DTYPE_BYTES * 2];
    snprintf(field, sizeof field, "'<U%zu', (%zu,)", width, count);
    add_field(record, name, field);
}

size_t tml_npy_record_format(char bytes[TML_NPY_HEADER_BYTES], const NpyRecord *record,
                             const uint64_t *rows) {
    char dtype[TML_NPY_HEADER_BYTES / 2];
    if (record->used == 0) {
        return 0;
    }
    snprintf(dtype, sizeof dtype, "%.*s]", (int)record->used, record->text);
    return format_header(bytes, dtype, &scalar, rows);
}

void tml_npy_write(Writer *out, const tml_type *type, const void *data) {
    char bytes[TML_NPY_HEADER_BYTES];
    tml_write_bytes(out, bytes, tml_npy_format_header(bytes, type, NULL));
    tml_write_bytes(out, data, tml_type_numel(type) * tml_scalar_bytes(type));
}
