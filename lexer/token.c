// Facts about kinds of tokens: the rows of lexer/tokens.def.
#include "lexer/token.h"

#include "support/bug.h"

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
