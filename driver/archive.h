// Static libraries: an archive with one object.
#ifndef TMLC_DRIVER_ARCHIVE_H
#define TMLC_DRIVER_ARCHIVE_H

#include "support/arena.h"
#include "support/buffer.h"

#include <stdbool.h>

// Appends an archive whose only member is `object` under the name `member`; it has no index yet.
void archive_print(const char *member, const Buffer *object, Buffer *out);
// Gives the archive in `path` the index of symbols that linkers want, and looks whether it then is
// whole and ends with the object. Runs `ar`, or TMLC_AR; the same input gives the same bytes. On
// failure returns false and *error says why.
__attribute__((warn_unused_result)) bool archive_finish(Arena *arena, const char *path,
                                                        const Buffer *object, bool verbose,
                                                        const char **error);

#endif
