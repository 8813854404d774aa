// A .npy file with a value per step.
#ifndef TML_RUNTIME_FILE_NPY_ROWS_H
#define TML_RUNTIME_FILE_NPY_ROWS_H

#include "runtime/abi/model.h"

#include <stdbool.h>

typedef struct NpyRows NpyRows;

// Reads the header; `stride` is the distance of rows in memory. NULL after saying what is wrong.
NpyRows *npy_rows_open(int fd, const char *name, const tml_variable *terminal, size_t stride);
void npy_rows_close(NpyRows *npy);
uint64_t npy_rows_count(const NpyRows *npy);

// As source_read; waits for all of them.
size_t npy_rows_read(NpyRows *npy, size_t limit, char *inputs);
bool npy_rows_report_failure(const NpyRows *npy);

#endif
