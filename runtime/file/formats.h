// The file formats of ports and of standard input. Every function says on standard error what
// failed and returns false; a value that was not read whole is then unspecified.
#ifndef TML_RUNTIME_FILE_FORMATS_H
#define TML_RUNTIME_FILE_FORMATS_H

#include "runtime/abi/abi.h"
#include "runtime/file/csv_text.h"
#include "runtime/file/open_file.h"
#include "runtime/file/text_reader.h"
#include "runtime/file/writer.h"

#include <stdbool.h>

// Scalars in row-major order, apart by white space, commas, and the brackets and separators of
// literals, with `#` comments: a TML literal or bare numbers. What follows the last scalar stays.
bool tml_literal_read(TextReader *text, const tml_type *type, void *data);

// A text file: a TML literal, which goes to the type as an assignment does, when the path ends in
// .tml, or when it does not end in .csv and the text begins with a bracket; otherwise CSV. `fd` is
// read to its end.
bool tml_text_file_read(int fd, const char *path, const tml_type *type, void *data);

// CSV. A scalar is one cell; a vector one row or one column; anything else has a column per element
// of the last flat dim and a row per element of the others. A first line without any number is a
// header.
bool tml_csv_read(CsvText *csv, const tml_type *type, void *data);
// The same layout without a header, a vector as one row. Failures are the writer's.
void tml_csv_write(Writer *out, const tml_type *type, const void *data);

// NumPy's .npy, version 1 to 3, little-endian, C order (NumPy Enhancement Proposal 1). The shape is
// the flat dims; the dtype converts to the type's root without loss.
bool tml_npy_read(int fd, const char *path, const tml_type *type, void *data);
// Version 1.0. Failures are the writer's.
void tml_npy_write(Writer *out, const tml_type *type, const void *data);

// What a file is that begins with these bytes and is neither text nor what its name says, as a
// message about it, or NULL.
const char *tml_known_content(const char *bytes, size_t len);
// Whether a file name means .npz, an archive of arrays: neither read nor written.
static inline bool tml_path_is_npz(const char *path) {
    return tml_path_ends_in(path, ".npz");
}

// Whether a file name means a TML literal.
static inline bool tml_path_is_tml(const char *path) {
    return tml_path_ends_in(path, ".tml");
}

// Whether a name means a Zarr store, of many runs (runtime/ensemble/store.h), with a slash behind
// it or without, as shells complete the names of folders.
static inline bool tml_path_is_zarr(const char *path) {
    return tml_path_ends_in(path, ".zarr") || tml_path_ends_in(path, ".zarr/");
}

// Whether a file name means .npy; others are CSV or TML.
static inline bool tml_path_is_npy(const char *path) {
    return tml_path_ends_in(path, ".npy");
}

#endif
