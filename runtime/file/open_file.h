// Opening and reading files. Where that waits, for a pipe's other end or a file server, a signal
// may interrupt it; and a descriptor that we inherited may be non-blocking.
#ifndef TML_RUNTIME_FILE_OPEN_FILE_H
#define TML_RUNTIME_FILE_OPEN_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

// open() with O_CLOEXEC and the mode 0666, again and again when interrupted. -1 with errno.
int tml_open(const char *path, int flags);
// Where a standard stream is closed, the next file to be opened would take its place, and with it
// what the stream is meant for, such as messages. From now on nothing does; using the stream fails
// as before.
void tml_hold_standard_streams(void);

// Whether two names or descriptors mean the same file.
static inline bool tml_same_file(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

// Our standard output or error, if that is where the file is: replacing it would lose what it has.
// -1 otherwise.
int tml_standard_stream(const struct stat *file);

// Waits for bytes and returns how many there were: at most `count`, 0 at the end of the file, or,
// with *error set to the errno, when it cannot be read.
size_t tml_read_some(int fd, void *bytes, size_t count, int *error);
// The same until there are `count`, or no more.
size_t tml_read_all(int fd, void *bytes, size_t count, int *error);

// Whether a file name has the suffix, of any case, and something before it.
bool tml_path_ends_in(const char *path, const char *suffix);

#endif
