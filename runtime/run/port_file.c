// A value is written beside its place and renamed, so that a file is whole or as it was, with the
// mode of what it replaces and through symbolic links. What is no regular file, or is our own
// standard output or error, is written to in place.
#include "runtime/file/formats.h"
#include "runtime/file/open_file.h"
#include "runtime/run/host.h"
#include "runtime/run/report.h"
#include "runtime/text/print.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

// Writes the value and closes `fd`. Returns errno of what failed, or 0.
static int write_and_close(int fd, const char *path, const tml_type *type, const void *data) {
    Writer out;
    tml_writer_init(&out, fd);
    if (tml_path_is_npy(path)) {
        tml_npy_write(&out, type, data);
    } else if (tml_path_is_tml(path)) {
        tml_write_literal(&out, type, data);
    } else {
        tml_csv_write(&out, type, data);
    }
    tml_writer_flush(&out);
    if (close(fd) != 0 && errno != EINTR && out.error == 0) { // interrupted, it is closed too
        return errno;
    }
    return out.error;
}

// Creates an empty file beside `path` whose name nobody uses, and puts it in `name`. -1 with errno.
static int create_beside(const char *path, char *name, size_t size) {
    enum { ATTEMPTS = 100 };
    int fd = -1;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        snprintf(name, size, "%s.%ld-%d.part", path, (long)getpid(), attempt);
        fd = tml_open(name, O_WRONLY | O_CREAT | O_EXCL);
        if (fd >= 0 || errno != EEXIST) {
            break;
        }
    }
    return fd;
}

// `old` is what stands at `path`, or NULL.
static int replace(const char *path, const struct stat *old, const tml_type *type,
                   const void *data) {
    size_t size = strlen(path) + 64;
    char *part = malloc(size);
    if (!part) {
        return ENOMEM;
    }
    int error = 0;
    int fd = create_beside(path, part, size);
    if (fd < 0) {
        error = errno;
        free(part);
        return error;
    }
    if (old && fchmod(fd, old->st_mode & 07777) != 0) {
        error = errno;
        close(fd);
    } else {
        error = write_and_close(fd, path, type, data);
    }
    if (error == 0 && rename(part, path) != 0) {
        error = errno;
    }
    if (error != 0) {
        unlink(part);
    }
    free(part);
    return error;
}

static int append(int stream, const char *path, const tml_type *type, const void *data) {
    int fd = dup(stream);
    return fd < 0 ? errno : write_and_close(fd, path, type, data);
}

static int write_in_place(const char *path, const tml_type *type, const void *data) {
    int fd = tml_open(path, O_WRONLY);
    return fd < 0 ? errno : write_and_close(fd, path, type, data);
}

// What a symbolic link leads to is replaced, not the link.
static int replace_target(const char *path, const struct stat *old, const tml_type *type,
                          const void *data) {
    char *target = realpath(path, NULL);
    int error = target ? replace(target, old, type, data) : errno;
    free(target);
    return error;
}

static int write_file(const char *path, const tml_type *type, const void *data) {
    struct stat old;
    if (strcmp(path, "-") == 0) {
        return append(STDOUT_FILENO, path, type, data);
    }
    if (stat(path, &old) != 0) {
        return errno == ENOENT ? replace(path, NULL, type, data) : errno;
    }
    int stream = tml_standard_stream(&old);
    if (stream >= 0) {
        return append(stream, path, type, data);
    }
    return S_ISREG(old.st_mode) ? replace_target(path, &old, type, data)
                                : write_in_place(path, type, data);
}

tml_status tml_port_file_write(tml_host *host, const char *path, const tml_type *type,
                               const void *data) {
    int error = write_file(path, type, data);
    if (error != 0 && strcmp(path, "-") == 0) {
        tml_report_output(host->options->command, error);
    } else if (error != 0) {
        tml_report(host->options->command, "cannot write `%s`: %s", path, strerror(error));
    }
    return error == 0 ? TML_OK : TML_E_IO;
}
