#include "runtime/open_file.h"

#include <errno.h>
#include <fcntl.h>

int tml_open(const char *path, int flags) {
    int fd;
    do {
        fd = open(path, flags | O_CLOEXEC, 0666);
    } while (fd < 0 && errno == EINTR);
    return fd;
}
