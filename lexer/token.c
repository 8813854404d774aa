// Facts about kinds of tokens: the rows of lexer/tokens.def.
#include "lexer/token.h"

#include "support/bug.h"

#include <string.h>

const TokenRow *token_row(TokenKind kind) {
    static const TokenRow rows[] = {
#define TOKEN(NAME, text, roles) {#NAME, text, roles},
#include "lexer/tokens.def"
    };
    CHECK((unsigned)kind < TOKEN_KIND_COUNT);
    return &rows[kind];
}

const char *token_text(TokenKind kind) {
    return token_row(kind)->text;
}

bool token_is(TokenKind kind, unsigned roles) {
    return (token_row(kind)->roles & roles) != 0;
}

bool token_has_fixed_text(TokenKind kind) {
    return kind > TOKEN_BAD_LITERAL;
}

bool token_is_reserved(const char *text) {
    static const char *const words[] = {
#define TOKEN(NAME, text, roles)
#define KEYWORD(NAME, text, roles) text,
#define MARK(NAME, text, roles)
#include "lexer/tokens.def"
    };
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++) {
        if (strcmp(words[k], text) == 0) {
            return true;
        }
    }
    return false;
}
