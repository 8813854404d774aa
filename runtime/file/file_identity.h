// Whether two names or descriptors mean the same file.
#ifndef TML_RUNTIME_FILE_FILE_IDENTITY_H
#define TML_RUNTIME_FILE_FILE_IDENTITY_H

#include <stdbool.h>
#include <sys/stat.h>

static inline bool tml_same_file(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

// Our standard output or error, if that is where the file is: replacing it would lose what it has.
// -1 otherwise.
int tml_standard_stream(const struct stat *file);

#endif
