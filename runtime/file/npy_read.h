// Reading .npy files, whose arrays are one value or a row of values, one for each step.
#ifndef TML_RUNTIME_FILE_NPY_READ_H
#define TML_RUNTIME_FILE_NPY_READ_H

#include "runtime/file/npy.h"

typedef struct NpyReader {
    int fd;
    const char *name;
    const tml_type *type;
    size_t stride;
    NpyScalar scalar;
    size_t numel;
    bool by_rows;         // the file's first dim counts them
    size_t file_row, row; // bytes in the file and in memory
    uint64_t count, done; // rows
    bool misfit;          // an integer has no equal of the type: of row `done`,
    size_t misfit_index;  // the scalar with this index,
    char misfit_text[24]; // in decimal
    int error;            // errno of a failed read
    size_t missing;       // bytes that a file cut short lacks
    size_t buffered;      // rows that `buffer` holds
    char *buffer;         // NULL when rows are packed
} NpyReader;

// Reads the header of an array with any number of values of the type. The values are stored
// `stride` bytes apart. False after saying what is wrong; tml_npy_close must follow all the same.
bool tml_npy_open(NpyReader *npy, int fd, const char *name, const tml_type *type, size_t stride);
void tml_npy_close(NpyReader *npy);

// As tml_source_read; waits for all of them.
size_t tml_npy_read_rows(NpyReader *npy, size_t limit, char *place);
bool tml_npy_report_failure(const NpyReader *npy);

#endif
