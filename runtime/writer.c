#include "runtime/writer.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

void tml_writer_init(Writer *writer, int fd) {
    writer->fd = fd;
    writer->error = 0;
    writer->used = 0;
}

// False on a failure that waiting does not mend. Descriptors that we inherit may be non-blocking.
static bool wait_to_write(int fd) {
    if (errno == EAGAIN) {
        struct pollfd ready = {.fd = fd, .events = POLLOUT};
        return poll(&ready, 1, -1) >= 0 || errno == EINTR;
    }
    return errno == EINTR;
}

static void write_now(Writer *writer, const char *bytes, size_t count) {
    while (count > 0 && writer->error == 0) {
        ssize_t written = write(writer->fd, bytes, count);
        if (written >= 0) {
            bytes += written;
            count -= (size_t)written;
        } else if (!wait_to_write(writer->fd)) {
            writer->error = errno;
        }
    }
}

bool tml_writer_flush(Writer *writer) {
    write_now(writer, writer->bytes, writer->used);
    writer->used = 0;
    return writer->error == 0;
}

void tml_write_bytes(Writer *writer, const void *bytes, size_t count) {
    if (count > TML_WRITER_BYTES - writer->used) {
        tml_writer_flush(writer);
        if (count >= TML_WRITER_BYTES) {
            write_now(writer, bytes, count);
            return;
        }
    }
    memcpy(writer->bytes + writer->used, bytes, count);
    writer->used += count;
}
