// Reads values from standard input. The brackets and separators of literals are only white space
// here: the type already says the shape.
#include "runtime/abi/type.h"
#include "runtime/file/formats.h"
#include "runtime/text/scalar_text.h"

static bool is_separator(int c) {
    return c != TML_READER_END && c != '\0' && strchr(" \t\r\n,;|[]", c);
}

static void skip_separators(TextReader *text) {
    for (;;) {
        int c = tml_reader_peek(text);
        if (c == '#') {
            while (c != '\n' && c != TML_READER_END) {
                c = tml_reader_next(text);
            }
        } else if (is_separator(c)) {
            tml_reader_next(text);
        } else {
            return;
        }
    }
}

static void read_token(TextReader *text, Token *token) {
    tml_token_start(token, tml_reader_position(text));
    for (;;) {
        int c = tml_reader_peek(text);
        if (c == TML_READER_END || c == '#' || is_separator(c)) {
            tml_token_finish(token);
            return;
        }
        tml_token_add(token, tml_reader_next(text));
    }
}

bool tml_literal_read(TextReader *text, const tml_type *type, void *data) {
    char *scalar = data;
    char type_text[TML_TYPE_TEXT_BYTES];
    uint64_t numel = tml_type_numel(type);
    Token token;
    text->ended = text->error != 0; // a terminal may give more after an end
    for (uint64_t i = 0; i < numel; i++) {
        skip_separators(text);
        read_token(text, &token);
        if (token.len == 0) {
            tml_reader_fail(
                text, token.position, "the input ends after %llu of the %llu values of %s",
                (unsigned long long)i, (unsigned long long)numel, tml_type_text(type_text, type));
        }
        const char *wrong = tml_scalar_parse(type, &token, scalar);
        if (wrong) {
            char quote[TML_QUOTE_BYTES];
            tml_reader_fail(text, token.position, "%s %s", tml_token_quote(quote, &token), wrong);
        }
        if (tml_reader_report_failure(text)) {
            return false;
        }
        scalar += tml_scalar_bytes(type);
    }
    return true;
}
