// Characters are counted when somebody asks where something is, each once.
#include "runtime/file/text_reader.h"

#include "runtime/file/open_file.h"
#include "runtime/run/report.h"

#include <stdarg.h>
#include <stdio.h>

void tml_reader_init(TextReader *reader, int fd, const char *name) {
    reader->fd = fd;
    reader->name = name;
    reader->before_read = NULL;
    reader->ended = reader->failed = false;
    reader->error = 0;
    reader->line = 0;
    reader->next = reader->end = reader->bytes;
    tml_reader_start_line(reader);
}

Position tml_reader_position(TextReader *reader) {
    for (; reader->count_from < reader->next; reader->count_from++) {
        // Not within a UTF-8 character.
        reader->counted += ((unsigned char)*reader->count_from & 0xC0) != 0x80;
    }
    return (Position){reader->line, reader->counted + 1};
}

bool tml_reader_refill(TextReader *reader) {
    if (reader->ended) {
        return false;
    }
    if (reader->before_read) {
        tml_writer_flush(reader->before_read);
    }
    tml_reader_position(reader);
    size_t kept = (size_t)(reader->end - reader->next);
    memmove(reader->bytes, reader->next, kept);
    reader->count_from = reader->next = reader->bytes;
    reader->end = reader->bytes + kept;
    size_t count = tml_read_some(reader->fd, reader->end, TML_READER_BYTES - kept, &reader->error);
    reader->ended = count == 0;
    reader->end += count;
    *reader->end = '\0';
    return !reader->ended;
}

void tml_reader_fail(TextReader *reader, Position position, const char *format, ...) {
    if (reader->failed) {
        return;
    }
    reader->failed = true;
    int used = snprintf(reader->message, TML_READER_MESSAGE_BYTES,
                        "%llu:%llu: error: ", (unsigned long long)position.line,
                        (unsigned long long)position.column);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reader->message + used, TML_READER_MESSAGE_BYTES - (size_t)used, format, arguments);
    va_end(arguments);
}

bool tml_reader_report_failure(const TextReader *reader) {
    if (reader->error != 0) {
        tml_report_file(reader->name, "cannot read: %s", strerror(reader->error));
    } else if (reader->failed) {
        fprintf(stderr, "%s:%s\n", reader->name, reader->message);
    }
    return reader->error != 0 || reader->failed;
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

// The bytes of the UTF-8 character that `text` begins with, or 0 when that is none.
static size_t character_bytes(const char *text, size_t left) {
    unsigned char lead = (unsigned char)*text;
    size_t count = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (count > left || lead > 0xF4) {
        return 0;
    }
    for (size_t i = 1; i < count; i++) {
        if (((unsigned char)text[i] & 0xC0) != 0x80) {
            return 0;
        }
    }
    return count;
}

const char *tml_token_quote(char quote[TML_QUOTE_BYTES], const Token *token) {
    size_t room = TML_QUOTE_BYTES - sizeof "``...";
    size_t shown = 0, used = 0;
    quote[used++] = '`';
    while (shown < token->len) {
        const char *text = token->text + shown;
        bool is_control = (unsigned char)*text < ' ' || *text == 0x7F;
        size_t bytes = character_bytes(text, token->len - shown);
        bool is_shown = bytes > 0 && !is_control;
        bytes = bytes > 0 ? bytes : 1;
        if (shown + bytes > room) {
            break;
        }
        memcpy(quote + used, is_shown ? text : "?", is_shown ? bytes : 1);
        used += is_shown ? bytes : 1;
        shown += bytes;
    }
    snprintf(quote + used, TML_QUOTE_BYTES - used, "%s`", shown < token->len ? "..." : "");
    return quote;
}
