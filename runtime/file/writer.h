// Buffered output to a file descriptor. The first failure is kept, and everything after it is
// dropped, so that callers check once: after tml_writer_flush, or now and then `error`.
#ifndef TML_RUNTIME_FILE_WRITER_H
#define TML_RUNTIME_FILE_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { TML_WRITER_BYTES = 1 << 15 };

typedef struct Writer {
    int fd;
    int error; // errno of the first failure, or 0
    size_t used;
    char bytes[TML_WRITER_BYTES];
} Writer;

// Hands bytes to the system, unless *error is set already. Returns how many it took: fewer than
// `count` with *error set to the errno.
size_t tml_write_all(int fd, const char *bytes, size_t count, int *error);

void tml_writer_init(Writer *writer, int fd);
void tml_write_bytes(Writer *writer, const void *bytes, size_t count);
// Hands everything to the system. False when that or anything before failed.
bool tml_writer_flush(Writer *writer);
// The same, and closes a copy of the descriptor, which reports what some file systems find out only
// then; the descriptor itself stays open for whoever gave it to us.
bool tml_writer_finish(Writer *writer);

static inline void tml_write_char(Writer *writer, char c) {
    if (writer->used == TML_WRITER_BYTES) {
        tml_writer_flush(writer);
    }
    writer->bytes[writer->used++] = c;
}

static inline void tml_write_text(Writer *writer, const char *text) {
    tml_write_bytes(writer, text, strlen(text));
}

// A text as JSON has it, in quotes.
void tml_write_json(Writer *out, const char *text);

#endif
