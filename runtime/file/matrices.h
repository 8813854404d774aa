// Named matrices and lists of names in one file, as programs for control systems read them.
#ifndef TML_RUNTIME_FILE_MATRICES_H
#define TML_RUNTIME_FILE_MATRICES_H

#include "runtime/file/writer.h"

typedef struct NamedMatrix {
    const char *name;
    size_t rows, columns;
    unsigned rank;      // for NumPy: 1 has one column, 0 one element
    const double *data; // row by row; NULL: of texts
    char *const *texts; // in ASCII, a row each
} NamedMatrix;

// MAT-files of level 5, which MATLAB, Octave and SciPy read; lists of names are cells. Failures are
// the writer's.
void tml_mat_write(Writer *out, const NamedMatrix *items, size_t count);
// A .npy file of one record, whose fields they are.
void tml_npy_matrices_write(Writer *out, const NamedMatrix *items, size_t count);

#endif
