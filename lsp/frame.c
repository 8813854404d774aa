// See frame.h.
#include "lsp/frame.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { LONGEST_HEADER = 64 * 1024, LONGEST_TEXT = 64 * 1024 * 1024, READ_BYTES = 64 * 1024 };

// The value of `Content-Length` among the lines of a header; -1 when there is none, or no number.
static long long content_length(const char *at, const char *end) {
    static const char name[] = "content-length:";
    while (at < end) {
        if ((size_t)(end - at) > strlen(name) && strncasecmp(at, name, strlen(name)) == 0) {
            char *rest = NULL;
            errno = 0;
            long long length = strtoll(at + strlen(name), &rest, 10);
            return *rest == '\r' && errno == 0 ? length : -1;
        }
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        at = newline == NULL ? end : newline + 1;
    }
    return -1;
}

FrameState frame_take(FrameReader *reader, const char **text, size_t *len, const char **error) {
    Buffer *bytes = &reader->bytes;
    if (reader->taken > 0) {
        bytes->len -= reader->taken;
        memmove(bytes->data, bytes->data + reader->taken, bytes->len);
        reader->taken = 0;
    }
    if (bytes->len == 0) {
        return FRAME_PART;
    }
    bytes->data[bytes->len] = '\0';
    const char *end = strstr(bytes->data, "\r\n\r\n");
    if (end == NULL) {
        *error = "a header is longer than 64 KiB";
        return bytes->len > LONGEST_HEADER ? FRAME_WRONG : FRAME_PART;
    }
    long long length = content_length(bytes->data, end + 2);
    if (length < 0 || length > LONGEST_TEXT) {
        *error =
            length < 0 ? "a header has no `Content-Length`" : "a message is longer than 64 MiB";
        return FRAME_WRONG;
    }
    size_t header = (size_t)(end + 4 - bytes->data);
    if (bytes->len - header < (size_t)length) {
        return FRAME_PART;
    }
    *text = bytes->data + header;
    *len = (size_t)length;
    reader->taken = header + *len;
    return FRAME_MESSAGE;
}

bool frame_read(FrameReader *reader, int input) {
    char block[READ_BYTES];
    ssize_t count = 0;
    do {
        count = read(input, block, sizeof(block));
    } while (count < 0 && errno == EINTR);
    if (count > 0) {
        buffer_append(&reader->bytes, block, (size_t)count);
    }
    return count > 0;
}

bool frame_write(int output, const char *text, size_t len) {
    Buffer frame = {0};
    buffer_format(&frame, "Content-Length: %zu\r\n\r\n", len);
    buffer_append(&frame, text, len);
    size_t written = 0;
    while (written < frame.len) {
        ssize_t count = write(output, frame.data + written, frame.len - written);
        if (count < 0 && errno != EINTR) {
            break;
        }
        written += count > 0 ? (size_t)count : 0;
    }
    bool is_whole = written == frame.len;
    buffer_free(&frame);
    return is_whole;
}
