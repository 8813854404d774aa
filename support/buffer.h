// A growable text buffer on the heap; what printers write to.
#ifndef TMLC_SUPPORT_BUFFER_H
#define TMLC_SUPPORT_BUFFER_H

#include <stddef.h>

typedef struct Buffer {
    char *data; // zero-terminated once anything was appended
    size_t len;
    size_t capacity;
} Buffer;

void buffer_append(Buffer *buffer, const char *text, size_t len);
void buffer_text(Buffer *buffer, const char *text);
void buffer_format(Buffer *buffer, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buffer_repeat(Buffer *buffer, char c, size_t count);
void buffer_free(Buffer *buffer);

#endif
