#include "runtime/file/file_identity.h"

#include <unistd.h>

int tml_standard_stream(const struct stat *file) {
    for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++) {
        struct stat stream;
        if (fstat(fd, &stream) == 0 && tml_same_file(&stream, file)) {
            return fd;
        }
    }
    return -1;
}
