// Zip archives, as FMUs are. The same files in the same order give the same bytes.
#ifndef TMLC_DRIVER_FMU_ZIP_H
#define TMLC_DRIVER_FMU_ZIP_H

#include "support/buffer.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct ZipFile {
    const char *name; // with folders
    Buffer data;
} ZipFile;

// Replaces the file `path`. On failure *error is a static text.
__attribute__((warn_unused_result)) bool zip_write(const char *path, const ZipFile *files,
                                                   size_t count, const char **error);
// Whether the file is an archive with a file `name` in which `text` stands.
bool zip_has_text(const char *path, const char *name, const char *text);

#endif
