// The one place that knows what has to be escaped, and which characters XML has.
#include "support/xml.h"

#include <stdbool.h>
#include <string.h>
#include <utf8proc.h>

static const char replacement[] = "\xEF\xBF\xBD"; // U+FFFD

// What stands for the character; NULL: itself.
static const char *escape_of(utf8proc_int32_t character, bool is_value) {
    switch (character) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&apos;";
    case '\r': return "&#13;";
    case '\t': return is_value ? "&#9;" : NULL;
    case '\n': return is_value ? "&#10;" : NULL;
    }
    bool is_none = character < 0x20 || character == 0xFFFE || character == 0xFFFF;
    return is_none ? replacement : NULL;
}

static void append(Buffer *out, const char *text, size_t len, bool is_value) {
    for (size_t at = 0; at < len;) {
        utf8proc_int32_t character = -1;
        utf8proc_ssize_t bytes = utf8proc_iterate((const utf8proc_uint8_t *)text + at,
                                                  (utf8proc_ssize_t)(len - at), &character);
        const char *escape = bytes <= 0 ? replacement : escape_of(character, is_value);
        bytes = bytes <= 0 ? 1 : bytes;
        if (escape != NULL) {
            buffer_text(out, escape);
        } else {
            buffer_append(out, text + at, (size_t)bytes);
        }
        at += (size_t)bytes;
    }
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
