// Reads values from standard input. The brackets and separators of literals are only white space
// here: the type already says the shape. Of `reshape([...], 2, 1)`, as a tensor of more than three
// dims prints inside another, what follows the bracket is skipped.
#include "runtime/abi/type.h"
#include "runtime/file/formats.h"
#include "runtime/text/scalar_text.h"

static bool is_separator(int c) {
    return c != TML_READER_END && c != '\0' && strchr(" \t\r\n,;|[]", c);
}

// The brackets that are open, and how many were at each `reshape(` that is.
typedef struct Brackets {
    size_t open, reshape_count;
    size_t reshapes[16]; // levels of a type
} Brackets;

static void skip_behind(TextReader *text, int last) {
    int c = tml_reader_peek(text);
    while (c != TML_READER_END && c != last) {
        tml_reader_next(text);
        c = tml_reader_peek(text);
    }
    if (c == last) {
        tml_reader_next(text);
    }
}

// Takes a comment or a character between scalars. False where there is none.
static bool take_separator(TextReader *text, Brackets *brackets) {
    int c = tml_reader_peek(text);
    if (c == '#') {
        skip_behind(text, '\n');
        return true;
    }
    if (!is_separator(c)) {
        return false;
    }
    tml_reader_next(text);
    brackets->open += c == '[';
    if (c == ']' && brackets->open > 0) {
        brackets->open--;
        size_t count = brackets->reshape_count;
        if (count > 0 && brackets->reshapes[count - 1] == brackets->open) {
            skip_behind(text, ')');
            brackets->reshape_count--;
        }
    }
    return true;
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

// The next scalar.
static void read_scalar(TextReader *text, Brackets *brackets, Token *token) {
    static const char reshape[] = "reshape(";
    bool is_reshape;
    do {
        while (take_separator(text, brackets)) {
        }
        read_token(text, token);
        is_reshape =
            token->len == sizeof reshape - 1 &&
            memcmp(token->text, reshape, sizeof reshape - 1) == 0 &&
            brackets->reshape_count < sizeof brackets->reshapes / sizeof brackets->reshapes[0];
        if (is_reshape) {
            brackets->reshapes[brackets->reshape_count++] = brackets->open;
        }
    } while (is_reshape);
}

bool tml_literal_read(TextReader *text, const tml_type *type, void *data) {
    char *scalar = data;
    char type_text[TML_TYPE_TEXT_BYTES];
    uint64_t numel = tml_type_numel(type);
    Token token;
    Brackets brackets = {0};
    text->ended = text->error != 0; // a terminal may give more after an end
    for (uint64_t i = 0; i < numel; i++) {
        read_scalar(text, &brackets, &token);
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
    while (brackets.reshape_count > 0 && take_separator(text, &brackets)) {
    }
    return true;
}
