// Growth by doubling; there is always room for the final zero.
#include "support/buffer.h"

#include "support/bug.h"
#include "support/memory.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *buffer_reserve(Buffer *buffer, size_t more) {
    CHECK(more < SIZE_MAX - buffer->len);
    size_t needed = buffer->len + more + 1;
    if (needed > buffer->capacity) {
        size_t doubled = buffer->capacity <= SIZE_MAX / 2 ? 2 * buffer->capacity : SIZE_MAX;
        size_t capacity = needed > doubled ? needed : doubled;
        buffer->capacity = capacity < 64 ? 64 : capacity;
        buffer->data = memory_resize(buffer->data, buffer->capacity);
    }
    return buffer->data + buffer->len;
}

static void buffer_advance(Buffer *buffer, size_t len) {
    buffer->len += len;
    buffer->data[buffer->len] = '\0';
}

void buffer_append(Buffer *buffer, const char *text, size_t len) {
    char *end = buffer_reserve(buffer, len);
    if (len > 0) {
        memcpy(end, text, len);
    }
    buffer_advance(buffer, len);
}

void buffer_text(Buffer *buffer, const char *text) {
    buffer_append(buffer, text, strlen(text));
}

void buffer_format(Buffer *buffer, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int len = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    CHECK(len >= 0);
    char *end = buffer_reserve(buffer, (size_t)len);
    va_start(arguments, format);
    vsnprintf(end, (size_t)len + 1, format, arguments);
    va_end(arguments);
    buffer_advance(buffer, (size_t)len);
}

void buffer_repeat(Buffer *buffer, char c, size_t count) {
    memset(buffer_reserve(buffer, count), c, count);
    buffer_advance(buffer, count);
}

void buffer_free(Buffer *buffer) {
    free(buffer->data);
    *buffer = (Buffer){0};
}
