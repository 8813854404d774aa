// Files: reading whole, writing whole or not at all.
#ifndef TMLC_SUPPORT_FILE_H
#define TMLC_SUPPORT_FILE_H

#include <stdbool.h>
#include <stddef.h>

// Reads all of `path` ("-" is standard input) into *data (malloc'd, caller frees; a zero byte
// follows): a regular file, a pipe, a terminal or an empty device. On failure, also beyond 2 GiB,
// returns false and *error is a static or strerror text.
__attribute__((warn_unused_result)) bool file_read(const char *path, char **data, size_t *len,
                                                   const char **error);
// Replaces `path` as support/staged.h does.
__attribute__((warn_unused_result)) bool file_write(const char *path, const char *data, size_t len,
                                                    const char **error);
// open() with O_CLOEXEC and the mode 0666, again and again when a signal interrupts it. -1 with
// errno.
int file_open(const char *path, int flags);
// Whether two paths are one file, by links or spelling; the file need not exist.
bool file_same(const char *a, const char *b);

#endif
