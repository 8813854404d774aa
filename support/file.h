// Files: reading whole, writing whole or not at all.
#ifndef TMLC_SUPPORT_FILE_H
#define TMLC_SUPPORT_FILE_H

#include <stdbool.h>
#include <stddef.h>

// Reads all of `path` ("-" is standard input) into *data (malloc'd, caller frees; a zero byte
// follows). On failure, also beyond 2 GiB, returns false and *error is a static or strerror text.
__attribute__((warn_unused_result)) bool file_read(const char *path, char **data, size_t *len,
                                                   const char **error);
// Writes `path` through a temporary file beside it that is then renamed, with `mode` less the
// umask. Refuses to replace anything but a regular file; a link to one stays and the file that it
// names is replaced. Nothing stays behind on failure or signal.
__attribute__((warn_unused_result)) bool file_write(const char *path, const char *data, size_t len,
                                                    unsigned mode, const char **error);
// Starts such a replacement by hand: gives the name of a temporary file beside `path`
// (malloc'd, removed if the process ends by a signal); file_commit renames it, file_discard
// removes it. Both free the name.
__attribute__((warn_unused_result)) bool file_stage(const char *path, char **temporary,
                                                    const char **error);
__attribute__((warn_unused_result)) bool file_commit(char *temporary, const char *path,
                                                     const char **error);
void file_discard(char *temporary);
// Removes every temporary file of this process; for ways to end that run no atexit function. Safe
// in a signal handler.
void file_remove_staged(void);

#endif
