// Facts about kinds of tokens, by the rows of lexer/tokens.def: spelling, name, and which words can
// only begin or end statements and blocks.
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

bool token_is_statement_word(TokenKind kind) {
    switch (kind) {
    case TOKEN_FN:
    case TOKEN_END:
    case TOKEN_IF:
    case TOKEN_ELSEIF:
    case TOKEN_ELSE:
    case TOKEN_FOR:
    case TOKEN_WHILE:
    case TOKEN_BREAK:
    case TOKEN_CONTINUE:
    case TOKEN_RETURN:
    case TOKEN_PASS:
    case TOKEN_MACRO:
    case TOKEN_EXISTS:
    case TOKEN_FEEDTHROUGH:
    case TOKEN_OPTIONAL:
    case TOKEN_TUNABLE:
    case TOKEN_IN:
    case TOKEN_OUT:
    case TOKEN_IMPORT: return true;
    default: return false;
    }
}
