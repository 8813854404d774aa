// Reading files whole and comparing their names. Signals that interrupt are waited out, devices
// that would never end are refused, and nothing larger than 2 GiB is read. Writing is left to
// staged.c, so that a file is replaced whole or not at all.
#include "support/file.h"

#include "support/memory.h"
#include "support/path.h"
#include "support/staged.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_READ = 64 * 1024, MOST_BYTES = INT32_MAX };

static bool fail(const char **error, int number) {
    *error = strerror(number);
    return false;
}

static bool read_all(int fd, size_t expected, char **data, size_t *len, const char **error) {
    size_t capacity = expected + 1; // one more, to see the end without growing
    char *bytes = memory_resize(NULL, capacity + 1);
    size_t used = 0;
    for (;;) {
        ssize_t got = read(fd, bytes + used, capacity - used);
        if (got == 0) {
            break;
        }
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0 || used + (size_t)got > MOST_BYTES) {
            int number = got < 0 ? errno : EFBIG;
            free(bytes);
            return fail(error, number);
        }
        used += (size_t)got;
        if (used == capacity) {
            capacity *= 2;
            bytes = memory_resize(bytes, capacity + 1);
        }
    }
    bytes[used] = '\0';
    *data = bytes;
    *len = used;
    return true;
}

// Devices may have no end, and those that have something to read are no place for source texts but
// for terminals.
static bool is_device(int fd, const struct stat *status) {
    char byte;
    bool may_be_endless = S_ISBLK(status->st_mode) || (S_ISCHR(status->st_mode) && !isatty(fd));
    return may_be_endless && read(fd, &byte, 1) != 0;
}

static bool read_opened(int fd, char **data, size_t *len, const char **error) {
    struct stat status;
    if (fstat(fd, &status) != 0) {
        return fail(error, errno);
    }
    if (is_device(fd, &status)) {
        *error = "is a device";
        return false;
    }
    bool known = S_ISREG(status.st_mode);
    if (known && status.st_size > MOST_BYTES) {
        return fail(error, EFBIG);
    }
    return read_all(fd, known ? (size_t)status.st_size : FIRST_READ, data, len, error);
}

int file_open(const char *path, int flags) {
    int fd;
    do {
        fd = open(path, flags | O_CLOEXEC, 0666);
    } while (fd < 0 && errno == EINTR);
    return fd;
}

bool file_read(const char *path, char **data, size_t *len, const char **error) {
    bool standard_input = strcmp(path, "-") == 0;
    int fd = standard_input ? STDIN_FILENO : file_open(path, O_RDONLY);
    if (fd < 0) {
        return fail(error, errno);
    }
    bool done = read_opened(fd, data, len, error);
    if (!standard_input) {
        close(fd);
    }
    return done;
}

bool file_write(const char *path, const char *data, size_t len, const char **error) {
    StagedFile file;
    size_t failed;
    return staged_create(&file, path, data, len, error) && staged_commit(&file, 1, &failed, error);
}

static bool same_inode(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

// Where the name begins in `path`; *folder is that of what it stands in.
static const char *find_folder(const char *path, struct stat *folder) {
    size_t len = path_folder(path);
    char *name = memory_zeroed(len + 2);
    memcpy(name, len == 0 ? "." : path, len == 0 ? 1 : len);
    bool is_known = stat(name, folder) == 0;
    free(name);
    return is_known ? path + len : NULL;
}

bool file_same(const char *a, const char *b) {
    struct stat status_a, status_b;
    bool a_exists = stat(a, &status_a) == 0;
    bool b_exists = stat(b, &status_b) == 0;
    if (a_exists || b_exists) {
        return a_exists && b_exists && same_inode(&status_a, &status_b);
    }
    const char *name_a = find_folder(a, &status_a);
    const char *name_b = find_folder(b, &status_b);
    return name_a != NULL && name_b != NULL && strcmp(name_a, name_b) == 0 &&
           same_inode(&status_a, &status_b);
}
