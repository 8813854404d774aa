// See uri.h. Bytes beyond the unreserved ones of RFC 3986 and `/` are written as %XX.
#include "lsp/uri.h"

#include "support/buffer.h"
#include "support/intern.h"
#include "support/json.h"

#include <ctype.h>
#include <string.h>

static const char scheme[] = "file://";

static int digit_value(char digit) {
    return isdigit((unsigned char)digit) ? digit - '0' : tolower((unsigned char)digit) - 'a' + 10;
}

char *lsp_uri_path(const char *uri) {
    Buffer path = {0};
    buffer_text(&path, "");
    if (!text_begins_with(uri, scheme)) {
        buffer_text(&path, uri);
        return path.data;
    }
    // A host may stand before the path: `localhost` or nothing.
    const char *at = strchr(uri + strlen(scheme), '/');
    for (at = at == NULL ? "/" : at; *at != '\0'; at++) {
        bool is_escape = at[0] == '%' && isxdigit((unsigned char)at[1]) &&
                         isxdigit((unsigned char)at[2]) && (at[1] != '0' || at[2] != '0');
        char byte = is_escape ? (char)(digit_value(at[1]) << 4 | digit_value(at[2])) : *at;
        buffer_append(&path, &byte, 1);
        at += is_escape ? 2 : 0;
    }
    return path.data;
}

json_t *lsp_uri(const char *path) {
    Buffer uri = {0};
    buffer_text(&uri, path[0] == '/' ? scheme : "");
    for (; *path != '\0'; path++) {
        unsigned char byte = (unsigned char)*path;
        if (isalnum(byte) || strchr("/-._~:", *path) != NULL) {
            buffer_append(&uri, path, 1);
        } else {
            buffer_format(&uri, "%%%02X", (unsigned)byte);
        }
    }
    json_t *value = json_word(uri.data == NULL ? "" : uri.data);
    buffer_free(&uri);
    return value;
}
