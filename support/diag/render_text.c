// Characters as they may go to a terminal: nothing that moves the cursor, changes the direction of
// writing or is not UTF-8 gets through.
#include "support/diag/render.h"
#include "support/diag/render_parts.h"

#include <stdio.h>
#include <string.h>
#include <utf8proc.h>

enum { TAB_WIDTH = 4 };

// Categories that have no picture of their own. Format characters are among them because those that
// turn the direction of writing make a line read differently from what it says.
static bool is_unprintable(utf8proc_int32_t character) {
    utf8proc_category_t category = utf8proc_category(character);
    return category == UTF8PROC_CATEGORY_CC || category == UTF8PROC_CATEGORY_CF ||
           category == UTF8PROC_CATEGORY_CS || category == UTF8PROC_CATEGORY_CO ||
           category == UTF8PROC_CATEGORY_CN || category == UTF8PROC_CATEGORY_ZL ||
           category == UTF8PROC_CATEGORY_ZP;
}

static Glyph glyph_escape(size_t bytes, const char *format, unsigned value) {
    Glyph glyph = {.bytes = bytes};
    snprintf(glyph.shown, sizeof(glyph.shown), format, value);
    glyph.len = (unsigned)strlen(glyph.shown);
    glyph.width = glyph.len;
    return glyph;
}

Glyph glyph_next(const char *text, size_t len, unsigned column) {
    unsigned char first = (unsigned char)text[0];
    if (first >= 0x20 && first < 0x7F) {
        return (Glyph){.bytes = 1, .width = 1, .len = 1, .shown = {text[0]}};
    }
    if (first == '\t') {
        unsigned width = TAB_WIDTH - column % TAB_WIDTH;
        return (Glyph){.bytes = 1, .width = width, .len = width, .shown = "    "};
    }
    utf8proc_int32_t character;
    utf8proc_ssize_t bytes =
        utf8proc_iterate((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)len, &character);
    if (bytes <= 0 || first < 0x80) {
        return glyph_escape(1, "\\x%02x", first);
    }
    if (is_unprintable(character)) {
        return glyph_escape((size_t)bytes, "\\u{%x}", (unsigned)character);
    }
    Glyph glyph = {.bytes = (size_t)bytes, .len = (unsigned)bytes};
    glyph.width = (unsigned)utf8proc_charwidth(character);
    memcpy(glyph.shown, text, glyph.bytes);
    return glyph;
}

void render_text(Buffer *out, const char *text, size_t len) {
    for (size_t at = 0; at < len;) {
        Glyph glyph = glyph_next(text + at, len - at, 0);
        buffer_append(out, glyph.shown, glyph.len);
        at += glyph.bytes;
    }
}

unsigned render_source_line(Buffer *out, Slice line) {
    unsigned column = 0;
    for (size_t at = 0; at < line.len;) {
        Glyph glyph = glyph_next(line.data + at, line.len - at, column);
        buffer_append(out, glyph.shown, glyph.len);
        column += glyph.width;
        at += glyph.bytes;
    }
    return column;
}
