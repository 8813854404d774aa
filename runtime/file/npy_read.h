// Reading .npy files, whose arrays are one value or a row of values, one for each step.
#ifndef TML_RUNTIME_FILE_NPY_READ_H
#define TML_RUNTIME_FILE_NPY_READ_H

#include "runtime/abi/model.h"

#include <stdbool.h>

typedef struct NpyReader NpyReader;

// Reads the header of an array with any number of values of the type. The values are stored
// `stride` bytes apart. NULL after saying what is wrong.
NpyReader *tml_npy_open(int fd, const char *name, const tml_type *type, size_t stride);
void tml_npy_close(NpyReader *npy);
uint64_t tml_npy_row_count(const NpyReader *npy);

// As tml_source_read; waits for all of them.
size_t tml_npy_read_rows(NpyReader *npy, size_t limit, char *place);
bool tml_npy_report_failure(const NpyReader *npy);

#endif
