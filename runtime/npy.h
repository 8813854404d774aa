// What reading and writing .npy files share.
#ifndef TML_RUNTIME_NPY_H
#define TML_RUNTIME_NPY_H

#include "runtime/abi.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "arrays are written as they lie in memory");

enum {
    TML_NPY_MAGIC_BYTES = 6,
    TML_NPY_ALIGNMENT = 64, // of the data, in the file
};

#define TML_NPY_MAGIC "\x93NUMPY"

// NumPy's name of a value's scalars: "|b1", "<u4", "<i4", "<f8" or "<f4".
const char *tml_npy_dtype(const tml_type *type);

#endif
