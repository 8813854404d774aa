// What reading and writing .npy files share.
#ifndef TML_RUNTIME_FILE_NPY_H
#define TML_RUNTIME_FILE_NPY_H

#include "runtime/abi/abi.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "arrays are written as they lie in memory");

enum {
    TML_NPY_MAGIC_BYTES = 6,
    TML_NPY_ALIGNMENT = 64, // of the data, in the file
    TML_NPY_DTYPE_BYTES = 32,
    TML_NPY_DIMS_LIMIT = 512 + 1, // L2.2, and the steps of a simulation
    TML_NPY_HEADER_BYTES = 8192,  // of what is written: enough for that many dims of ten digits
};

#define TML_NPY_MAGIC "\x93NUMPY"

// NumPy's name of a value's scalars: "|b1", "<u4", "<i4", "<f8" or "<f4".
const char *tml_npy_dtype(const tml_type *type);

// The bytes before the data. With `rows`, the array has that many values of the type, and the
// length does not depend on how many.
size_t tml_npy_format_header(char bytes[TML_NPY_HEADER_BYTES], const tml_type *type,
                             const uint64_t *rows);

// The header of an array of records, made field by field: the text of its dtype, which is empty
// once there was no room for a field.
typedef struct NpyRecord {
    size_t used;
    char text[TML_NPY_HEADER_BYTES / 2];
} NpyRecord;

void tml_npy_record_begin(NpyRecord *record);
// Adds a field of the type, or of one scalar of it; names have no quotes.
void tml_npy_record_add(NpyRecord *record, const char *name, const tml_type *type, bool is_whole);
// Adds a field of so many texts, of `width` characters each, which are stored as UTF-32.
void tml_npy_record_add_texts(NpyRecord *record, const char *name, size_t width, size_t count);
// As tml_npy_format_header; 0 when there was no room. Without `rows` the array is one record.
size_t tml_npy_record_format(char bytes[TML_NPY_HEADER_BYTES], const NpyRecord *record,
                             const uint64_t *rows);

// How the scalars of a file are stored: NumPy's letter for their kind (b, u, i, f) and their size;
// a size of 0 is that of scalars that no type takes.
typedef struct NpyScalar {
    char kind;
    uint8_t bytes;
} NpyScalar;

typedef struct NpyHeader {
    char dtype[TML_NPY_DTYPE_BYTES];
    NpyScalar scalar; // as the dtype says
    bool fortran_order;
    size_t rank;
    uint64_t dims[TML_NPY_DIMS_LIMIT];
} NpyHeader;

// The functions that return bool say on standard error what is wrong before they return false.

// Reads what stands before the data.
bool tml_npy_read_header(int fd, const char *path, NpyHeader *header);
// The array is a value of the type or, with `by_rows`, any number of them; its dtype converts to
// the type's root without loss, or is of integers, some of which may not fit: tml_npy_all_fit.
bool tml_npy_check_header(const char *path, const NpyHeader *header, const tml_type *type,
                          bool by_rows);
// Whether every scalar that can be stored so converts to the type's root without loss.
bool tml_npy_all_fit(NpyScalar scalar, const tml_type *type);
bool tml_npy_fail_short(const char *path, size_t missing);

#endif
