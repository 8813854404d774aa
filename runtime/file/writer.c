// Bytes go through a buffer, large ones past it. Descriptors that we inherit may be non-blocking:
// what they do not take is waited for.
#include "runtime/file/writer.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
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

size_t tml_write_all(int fd, const char *bytes, size_t count, int *error) {
    size_t done = 0;
    while (done < count && *error == 0) {
        ssize_t written = write(fd, bytes + done, count - done);
        if (written >= 0) {
            done += (size_t)written;
        } else if (!wait_to_write(fd)) {
            *error = errno;
        }
    }
    return done;
}

static void write_now(Writer *writer, const char *bytes, size_t count) {
    tml_write_all(writer->fd, bytes, count, &writer->error);
}

bool tml_writer_flush(Writer *writer) {
    write_now(writer, writer->bytes, writer->used);
    writer->used = 0;
    return writer->error == 0;
}

bool tml_writer_finish(Writer *writer) {
    if (!tml_writer_flush(writer)) {
        return false;
    }
    int copy = dup(writer->fd);
    if (copy >= 0 && close(copy) != 0 && errno != EINTR) { // interrupted, it is closed too
        writer->error = errno;
    }
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

void tml_write_json(Writer *out, const char *text) {
    tml_write_char(out, '"');
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        char escape[8] = {(char)c};
        if (c == '"' || c == '\\') {
            snprintf(escape, sizeof escape, "\\%c", c);
        } else if (c < 0x20) {
            snprintf(escape, sizeof escape, "\\u%04x", c);
        }
        tml_write_text(out, escape);
    }
    tml_write_char(out, '"');
}
