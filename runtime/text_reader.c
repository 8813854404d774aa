#include "runtime/text_reader.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

void tml_reader_init(TextReader *reader, int fd, const char *name) {
    reader->fd = fd;
    reader->name = name;
    reader->before_read = NULL;
    reader->position = (Position){1, 1};
    reader->error = 0;
    reader->next = reader->end = 0;
}

int tml_reader_refill(TextReader *reader) {
    if (reader->error != 0) {
        return TML_READER_END;
    }
    if (reader->before_read) {
        tml_writer_flush(reader->before_read);
    }
    ssize_t count;
    while ((count = read(reader->fd, reader->bytes, sizeof reader->bytes)) < 0) {
        if (errno == EAGAIN) { // a descriptor that we inherited may be non-blocking
            poll(&(struct pollfd){.fd = reader->fd, .events = POLLIN}, 1, -1);
        } else if (errno != EINTR) {
            reader->error = errno;
            return TML_READER_END;
        }
    }
    reader->next = 0;
    reader->end = (size_t)count;
    return count > 0 ? (unsigned char)reader->bytes[0] : TML_READER_END;
}

void tml_reader_report(const TextReader *reader, Position position, const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "%s:%llu:%llu: error: %s\n", reader->name, (unsigned long long)position.line,
            (unsigned long long)position.column, text);
}

bool tml_reader_report_failure(const TextReader *reader) {
    if (reader->error != 0) {
        fprintf(stderr, "%s: error: cannot read: %s\n", reader->name, strerror(reader->error));
    }
    return reader->error != 0;
}

void tml_token_finish(Token *token) {
    size_t kept = token->len < TML_TOKEN_LIMIT ? token->len : TML_TOKEN_LIMIT;
    if (kept == token->len) {
        while (kept > 0 && strchr(" \t\r", token->text[kept - 1]) && token->text[kept - 1]) {
            kept--;
        }
        token->len = kept;
    }
    token->text[kept] = '\0';
}

const char *tml_token_quote(char quote[TML_QUOTE_BYTES], const Token *token) {
    size_t room = TML_QUOTE_BYTES - sizeof "``...";
    size_t shown = token->len < room ? token->len : room;
    size_t used = 0;
    quote[used++] = '`';
    for (size_t i = 0; i < shown; i++) {
        unsigned char c = (unsigned char)token->text[i];
        quote[used++] = c < ' ' || c == 0x7F ? '?' : (char)c;
    }
    snprintf(quote + used, TML_QUOTE_BYTES - used, "%s`", shown < token->len ? "..." : "");
    return quote;
}
