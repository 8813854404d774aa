// The system's calls, repeated where a signal has interrupted them or a descriptor that does not
// block has nothing yet.
#include "runtime/file/open_file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

int tml_open(const char *path, int flags) {
    int fd;
    do {
        fd = open(path, flags | O_CLOEXEC, 0666);
    } while (fd < 0 && errno == EINTR);
    return fd;
}

void tml_hold_standard_streams(void) {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0) { // the lowest free number is this one
            tml_open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        }
    }
}

int tml_standard_stream(const struct stat *file) {
    for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++) {
        struct stat stream;
        if (fstat(fd, &stream) == 0 && tml_same_file(&stream, file)) {
            return fd;
        }
    }
    return -1;
}

size_t tml_read_some(int fd, void *bytes, size_t count, int *error) {
    ssize_t got;
    while ((got = read(fd, bytes, count)) < 0) {
        if (errno == EAGAIN) {
            poll(&(struct pollfd){.fd = fd, .events = POLLIN}, 1, -1);
        } else if (errno != EINTR) {
            *error = errno;
            return 0;
        }
    }
    return (size_t)got;
}

size_t tml_read_all(int fd, void *bytes, size_t count, int *error) {
    size_t done = 0, got = 1;
    while (done < count && got > 0) {
        got = tml_read_some(fd, (char *)bytes + done, count - done, error);
        done += got;
    }
    return done;
}

bool tml_path_ends_in(const char *path, const char *suffix) {
    size_t len = strlen(path), suffix_len = strlen(suffix);
    return len > suffix_len && strcasecmp(path + len - suffix_len, suffix) == 0;
}
