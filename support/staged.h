// Files that appear under their names all together or not at all.
#ifndef TMLC_SUPPORT_STAGED_H
#define TMLC_SUPPORT_STAGED_H

#include <stdbool.h>
#include <stddef.h>

// A file that stands under a temporary name in the folder where it will have its own. It is removed
// when the process ends by a signal or exit() before that.
typedef struct StagedFile {
    const char *path; // the caller's; it outlives this
    char *temporary;
} StagedFile;

// Creates the temporary file with these bytes; other programs may fill it too. Refuses to replace
// anything but a regular file; a link to one stays and the file that it names is replaced. On
// failure nothing is there, and *error is a static or strerror text.
__attribute__((warn_unused_result)) bool
staged_create(StagedFile *file, const char *path, const char *data, size_t len, const char **error);
void staged_discard(StagedFile *file);
// Gives all files their names, or none: on failure what stood there before stands there again, and
// *failed is the index of the file with the *error. The staged files are gone in either case. What
// the disk does not let back to its name stays as `.tmlc-PID-N.old` beside it, and *error says so.
// SIGKILL can leave files of one run beside older ones, `.tmlc-PID-N` and `.tmlc-PID-N.old`.
__attribute__((warn_unused_result)) bool staged_commit(StagedFile *files, size_t count,
                                                       size_t *failed, const char **error);

#endif
