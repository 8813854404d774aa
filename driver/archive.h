// Static libraries: an archive with one object.
#ifndef TMLC_DRIVER_ARCHIVE_H
#define TMLC_DRIVER_ARCHIVE_H

#include "support/arena.h"
#include "support/buffer.h"

#include <stdbool.h>

// Appends an archive whose only member is `object` under the name `member`; it has no index yet.
void archive_print(const char *member, const Buffer *object, Buffer *out);
// Gives the archive in `path` the index of symbols that linkers want. Runs `ar`, or TMLC_AR; the
// same input gives the same bytes. On failure returns false and *error says why.
__attribute__((warn_unused_result)) bool archive_index(Arena *arena, const char *path, bool verbose,
                                                       const char **error);
// Whether the file is a whole archive that ends with the object, and linkers find the object's
// symbols in it. *error is a static or strerror text.
__attribute__((warn_unused_result)) bool archive_check(const char *path, const Buffer *object,
                                                       const char **error);

#endif
