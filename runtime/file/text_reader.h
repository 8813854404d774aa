// Text from a file descriptor with the line and column of what is read, the first thing that is
// wrong with it, and the tokens that are cut from it.
#ifndef TML_RUNTIME_FILE_TEXT_READER_H
#define TML_RUNTIME_FILE_TEXT_READER_H

#include "runtime/file/writer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TML_READER_BYTES = 1 << 16,
    TML_READER_MESSAGE_BYTES = 512,
    TML_READER_END = -1,       // instead of a byte, after the last one
    TML_TOKEN_LIMIT = 1 << 11, // bytes; the exact decimal of a double needs at most 1079
};

typedef struct Position {
    uint64_t line;   // from 1
    uint64_t column; // from 1, in characters
} Position;

// The bytes from `next` to `end` are still to be read; a NUL follows them.
typedef struct TextReader {
    int fd;
    const char *name;       // in messages
    Writer *before_read;    // flushed before waiting for input; may be NULL
    bool ended;             // there was no more when last asked
    int error;              // errno of a failed read, which looks like the end, or 0
    bool failed;            // `message` says why
    uint64_t line;          // of `next`
    uint64_t counted;       // characters of the line before `count_from`
    const char *count_from; // in `bytes`
    char *next, *end;
    char message[TML_READER_MESSAGE_BYTES];
    char bytes[TML_READER_BYTES + 1];
} TextReader;

void tml_reader_init(TextReader *reader, int fd, const char *name);
// Reads more behind what there is. False at the end.
bool tml_reader_refill(TextReader *reader);
// Of the next byte.
Position tml_reader_position(TextReader *reader);

// The next byte (0 to 255), which stays, or TML_READER_END.
static inline int tml_reader_peek(TextReader *reader) {
    return reader->next < reader->end || tml_reader_refill(reader) ? (unsigned char)*reader->next
                                                                   : TML_READER_END;
}

// To be called behind a newline.
static inline void tml_reader_start_line(TextReader *reader) {
    reader->line++;
    reader->counted = 0;
    reader->count_from = reader->next;
}

// The next byte, which is consumed, or TML_READER_END.
static inline int tml_reader_next(TextReader *reader) {
    int c = tml_reader_peek(reader);
    reader->next += c != TML_READER_END;
    if (c == '\n') {
        tml_reader_start_line(reader);
    }
    return c;
}

// Keeps a message about a place, unless there is one already; reading may go on.
__attribute__((format(printf, 3, 4))) void tml_reader_fail(TextReader *reader, Position position,
                                                           const char *format, ...);
// Whether reading has failed or a message is kept; says which on standard error.
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
