// See encoding.h. The mark of a byte is the character U+10FE00 + byte, of a private area.
#include "lsp/encoding.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MARK_LENGTH = 4, ESCAPE_LENGTH = 6 };

static const char mark_start[] = "\xF4\x8F\xB8"; // then 80..BF, and with B9..BB for higher bytes

static void append_mark(Buffer *out, unsigned char byte) {
    unsigned char mark[MARK_LENGTH];
    memcpy(mark, mark_start, MARK_LENGTH - 1);
    mark[2] = (unsigned char)(mark[2] + (byte >> 6));
    mark[3] = (unsigned char)(0x80 | (byte & 0x3F));
    buffer_append(out, (const char *)mark, MARK_LENGTH);
}

// Bytes of the character at `text`, 0 when it is not UTF-8.
static size_t character_length(const char *text, size_t len) {
    const unsigned char *at = (const unsigned char *)text;
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = at[0] < 0x80 ? 1 : at[0] < 0xC2 ? 0 : at[0] < 0xE0 ? 2 : at[0] < 0xF0 ? 3 : 4;
    if (length <= 1) {
        return length;
    }
    uint32_t code = at[0] & (0x7FU >> length);
    for (size_t i = 1; i < length; i++) {
        if (i == len || (at[i] & 0xC0) != 0x80) {
            return 0;
        }
        code = code << 6 | (at[i] & 0x3F);
    }
    bool is_character = code >= least[length] && code <= 0x10FFFF && code >> 11 != 0xD800 >> 11;
    return is_character ? length : 0;
}

// The code unit of an escape `\uXXXX`; -1 when there is none.
static long escaped_unit(const char *text, size_t len) {
    static const char digits[] = "0123456789abcdefABCDEF";
    char number[5] = {0};
    if (len < ESCAPE_LENGTH || text[0] != '\\' || text[1] != 'u') {
        return -1;
    }
    memcpy(number, text + 2, 4);
    return strspn(number, digits) == 4 ? strtol(number, NULL, 16) : -1;
}

static size_t mark_escape(const char *text, size_t len, Buffer *out) {
    long unit = escaped_unit(text, len);
    size_t length = unit < 0 ? (len < 2 ? len : 2) : ESCAPE_LENGTH;
    if (unit >> 11 != 0xD800 >> 11) {
        buffer_append(out, text, length);
        return length;
    }
    long next = escaped_unit(text + length, len - length);
    if (unit < 0xDC00 && next >> 10 == 0xDC00 >> 10) {
        buffer_append(out, text, 2 * ESCAPE_LENGTH);
        return 2 * ESCAPE_LENGTH;
    }
    append_mark(out, (unsigned char)(0xE0 | unit >> 12));
    append_mark(out, (unsigned char)(0x80 | (unit >> 6 & 0x3F)));
    append_mark(out, (unsigned char)(0x80 | (unit & 0x3F)));
    return length;
}

void lsp_mark_bytes(const char *json, size_t len, Buffer *out) {
    for (size_t at = 0; at < len;) {
        size_t length = character_length(json + at, len - at);
        if (json[at] == '\\') {
            at += mark_escape(json + at, len - at, out);
        } else if (length == 0) {
            append_mark(out, (unsigned char)json[at++]);
        } else {
            buffer_append(out, json + at, length);
            at += length;
        }
    }
}

static bool is_mark(const char *text, size_t len) {
    return len >= MARK_LENGTH && memcmp(text, mark_start, 2) == 0 &&
           (unsigned char)text[2] - (unsigned char)mark_start[2] < 4 &&
           (unsigned char)text[2] >= (unsigned char)mark_start[2];
}

void lsp_unmark_bytes(const char *text, size_t len, Buffer *out) {
    for (size_t at = 0; at < len;) {
        bool marks = is_mark(text + at, len - at);
        int high = (unsigned char)text[marks ? at + 2 : at] - (unsigned char)mark_start[2];
        char byte = marks ? (char)(high << 6 | (text[at + 3] & 0x3F)) : text[at];
        buffer_append(out, &byte, 1);
        at += marks ? MARK_LENGTH : 1;
    }
}
