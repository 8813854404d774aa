// Facts about the types of abi.h.
#ifndef TML_RUNTIME_ABI_TYPE_H
#define TML_RUNTIME_ABI_TYPE_H

#include "runtime/abi/abi.h"

#include <string.h>

enum { TML_TYPE_TEXT_BYTES = 256 };

const char *tml_root_text(tml_root root);
// Bytes of one scalar.
size_t tml_scalar_bytes(const tml_type *type);
// One scalar as a double, which holds every scalar exactly, and back; it fits the root.
static inline double tml_scalar_load(const tml_type *type, const void *scalar) {
    uint32_t bits;
    float single;
    double value;
    switch ((tml_root)type->root) {
    case TML_BOOL: return *(const uint8_t *)scalar != 0;
    case TML_UINT: memcpy(&bits, scalar, sizeof bits); return bits;
    case TML_INT: memcpy(&bits, scalar, sizeof bits); return (int32_t)bits;
    case TML_REAL:
        if (type->real_bytes == 4) {
            memcpy(&single, scalar, sizeof single);
            return (double)single;
        }
        memcpy(&value, scalar, sizeof value);
        return value;
    }
    __builtin_unreachable();
}

static inline void tml_scalar_store(const tml_type *type, void *scalar, double value) {
    switch ((tml_root)type->root) {
    case TML_BOOL: *(uint8_t *)scalar = value != 0; return;
    case TML_UINT:
    case TML_INT: memcpy(scalar, &(uint32_t){(uint32_t)(int64_t)value}, sizeof(uint32_t)); return;
    case TML_REAL:
        if (type->real_bytes == 4) {
            memcpy(scalar, &(float){(float)value}, sizeof(float));
        } else {
            memcpy(scalar, &value, sizeof value);
        }
        return;
    }
    __builtin_unreachable();
}

// Product of dims[first .. end).
uint64_t tml_dims_product(const uint32_t *dims, size_t first, size_t end);
// Scalars in a value: the product of all flat dims.
uint64_t tml_type_numel(const tml_type *type);
// As the user writes it: "tensor<real, 2, 3>". Very long ones end in "...". Returns `text`.
const char *tml_type_text(char text[TML_TYPE_TEXT_BYTES], const tml_type *type);

#endif
