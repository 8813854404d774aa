// Text from a file descriptor, a byte at a time, with the line and column of each byte, and the
// tokens that are cut from it.
#ifndef TML_RUNTIME_FILE_TEXT_READER_H
#define TML_RUNTIME_FILE_TEXT_READER_H

#include "runtime/file/writer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TML_READER_BYTES = 1 << 15,
    TML_READER_END = -1,       // instead of a byte, after the last one
    TML_TOKEN_LIMIT = 1 << 11, // bytes; the exact decimal of a double needs at most 1079
};

typedef struct Position {
    uint64_t line;   // from 1
    uint64_t column; // from 1, in characters
} Position;

typedef struct TextReader {
    int fd;
    const char *name;    // in messages
    Writer *before_read; // flushed before waiting for input; may be NULL
    Position position;   // of the next byte
    int error;           // errno of a failed read, which looks like the end, or 0
    size_t next, end;
    char bytes[TML_READER_BYTES];
} TextReader;

void tml_reader_init(TextReader *reader, int fd, const char *name);
// tml_reader_peek when the buffer is empty.
int tml_reader_refill(TextReader *reader);

// The next byte (0 to 255), which stays, or TML_READER_END.
static inline int tml_reader_peek(TextReader *reader) {
    return reader->next < reader->end ? (unsigned char)reader->bytes[reader->next]
                                      : tml_reader_refill(reader);
}

// The next byte, which is consumed, or TML_READER_END.
static inline int tml_reader_next(TextReader *reader) {
    int c = tml_reader_peek(reader);
    if (c == TML_READER_END) {
        return c;
    }
    reader->next++;
    if (c == '\n') {
        reader->position.line++;
        reader->position.column = 1;
    } else if ((c & 0xC0) != 0x80) { // not within a UTF-8 character
        reader->position.column++;
    }
    return c;
}

// Prints "NAME:LINE:COLUMN: error: ..." on standard error.
__attribute__((format(printf, 3, 4))) void
tml_reader_report(const TextReader *reader, Position position, const char *format, ...);
// Prints why reading failed when it did (`error`). Returns whether it did.
bool tml_reader_report_failure(const TextReader *reader);

typedef struct Token {
    Position position; // of its first byte
    size_t len;        // more than TML_TOKEN_LIMIT when bytes were dropped
    char text[TML_TOKEN_LIMIT + 1];
} Token;

static inline void tml_token_start(Token *token, Position position) {
    token->position = position;
    token->len = 0;
}

static inline void tml_token_add(Token *token, int c) {
    if (token->len < TML_TOKEN_LIMIT) {
        token->text[token->len] = (char)c;
    }
    token->len++;
}

// Drops white space at the end and puts a NUL after the text.
void tml_token_finish(Token *token);

enum { TML_QUOTE_BYTES = 64 };

// The token's text in backticks, fit for a message: cut when long, no control characters.
const char *tml_token_quote(char quote[TML_QUOTE_BYTES], const Token *token);

#endif
