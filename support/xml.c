// The one place that knows what has to be escaped, and which characters XML has.
#include "support/xml.h"

#include <string.h>
#include <utf8proc.h>

static const char replacement[] = "\xEF\xBF\xBD"; // U+FFFD

// The character at `at`, and in *bytes what it takes; -1: none that XML has.
static utf8proc_int32_t character_at(const char *text, size_t len, size_t at, size_t *bytes) {
    utf8proc_int32_t character = -1;
    utf8proc_ssize_t taken = utf8proc_iterate((const utf8proc_uint8_t *)text + at,
                                              (utf8proc_ssize_t)(len - at), &character);
    *bytes = taken <= 0 ? 1 : (size_t)taken;
    bool is_blank = character == '\t' || character == '\n' || character == '\r';
    bool is_none = (character < 0x20 && !is_blank) || character == 0xFFFE || character == 0xFFFF;
    return taken <= 0 || is_none ? -1 : character;
}

// What stands for the character; NULL: itself.
static const char *escape_of(utf8proc_int32_t character, bool is_value) {
    switch (character) {
    case -1: return replacement;
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&apos;";
    case '\r': return "&#13;";
    case '\t': return is_value ? "&#9;" : NULL;
    case '\n': return is_value ? "&#10;" : NULL;
    }
    return NULL;
}

static void append(Buffer *out, const char *text, size_t len, bool is_value) {
    size_t bytes;
    for (size_t at = 0; at < len; at += bytes) {
        const char *escape = escape_of(character_at(text, len, at, &bytes), is_value);
        if (escape != NULL) {
            buffer_text(out, escape);
        } else {
            buffer_append(out, text + at, bytes);
        }
    }
}

bool xml_has(const char *text, size_t len) {
    size_t bytes;
    for (size_t at = 0; at < len; at += bytes) {
        if (character_at(text, len, at, &bytes) < 0) {
            return false;
        }
    }
    return true;
}

void xml_text(Buffer *out, const char *text, size_t len) {
    append(out, text, len, false);
}

void xml_value(Buffer *out, const char *text, size_t len) {
    append(out, text, len, true);
}

void xml_attribute(Buffer *out, const char *name, const char *value) {
    buffer_format(out, " %s=\"", name);
    xml_value(out, value, strlen(value));
    buffer_text(out, "\"");
}
