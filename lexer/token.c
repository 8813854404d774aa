#include "lexer/token.h"

#include "support/bug.h"

const char *token_text(TokenKind kind) {
    static const char *const texts[] = {
#define TOKEN(NAME, text) [TOKEN_##NAME] = text,
#include "lexer/tokens.def"
    };
    CHECK((unsigned)kind < TOKEN_KIND_COUNT);
    return texts[kind];
}

const char *token_kind_name(TokenKind kind) {
    static const char *const names[] = {
#define TOKEN(NAME, text) [TOKEN_##NAME] = #NAME,
#include "lexer/tokens.def"
    };
    CHECK((unsigned)kind < TOKEN_KIND_COUNT);
    return names[kind];
}

bool token_has_fixed_text(TokenKind kind) {
    return kind > TOKEN_BAD_LITERAL;
}
