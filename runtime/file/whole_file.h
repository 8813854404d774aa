// Files that are written whole or not at all.
#ifndef TML_RUNTIME_FILE_WHOLE_FILE_H
#define TML_RUNTIME_FILE_WHOLE_FILE_H

#include "runtime/file/writer.h"

typedef void WholeFileContent(Writer *out, const void *data);

// Writes what `content` makes of `data` beside its place first, then renames it. What exists and is
// no regular file (a device, a pipe) is written to as it is, and so is the file that our standard
// output or error already goes to ("-" is standard output). Returns 0, or the errno of what failed.
int tml_write_whole(const char *path, WholeFileContent *content, const void *data);

// Creates an empty file beside `path` whose name nobody uses, and puts it in `name`, which begins
// with the path and ends in ".part". Returns the descriptor, or -1 with errno.
int tml_create_beside(const char *path, char *name, size_t size);

#endif
