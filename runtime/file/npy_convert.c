// Scalars of .npy files to those of types.
#include "runtime/abi/type.h"
#include "runtime/file/npy.h"

size_t tml_npy_scalar_bytes(NpyScalar scalar) {
    switch (scalar) {
    case NPY_BOOL:
    case NPY_UINT8:
    case NPY_INT8: return 1;
    case NPY_UINT16:
    case NPY_INT16: return 2;
    case NPY_UINT32:
    case NPY_INT32:
    case NPY_SINGLE: return 4;
    case NPY_DOUBLE: return 8;
    case NPY_OTHER: return 0;
    }
    __builtin_unreachable();
}

static double load_scalar(NpyScalar scalar, const char *bytes) {
    uint32_t bits = 0;
    double real = 0;
    float single;
    size_t size = tml_npy_scalar_bytes(scalar);
    memcpy(&bits, bytes, size < sizeof bits ? size : sizeof bits);
    memcpy(&single, &bits, sizeof single);
    switch (scalar) {
    case NPY_BOOL: return bits != 0;
    case NPY_UINT8:
    case NPY_UINT16:
    case NPY_UINT32: return bits;
    case NPY_INT8: return (int8_t)bits;
    case NPY_INT16: return (int16_t)bits;
    case NPY_INT32: return (int32_t)bits;
    case NPY_SINGLE: return (double)single;
    case NPY_DOUBLE: memcpy(&real, bytes, sizeof real); return real;
    case NPY_OTHER: return 0;
    }
    __builtin_unreachable();
}

void tml_npy_convert(NpyScalar scalar, const char *raw, const tml_type *type, char *data,
                     size_t count) {
    size_t from = tml_npy_scalar_bytes(scalar), to = tml_scalar_bytes(type);
    if (from == to && scalar != NPY_BOOL) {
        if (data != raw) {
            memmove(data, raw, count * to);
        }
        return;
    }
    for (size_t i = 0; i < count; i++) {
        tml_scalar_store(type, data + i * to, load_scalar(scalar, raw + i * from));
    }
}
