// Tokens, as the grammar sees them. Their kinds are listed in lexer/tokens.def.
#ifndef TMLC_LEXER_TOKEN_H
#define TMLC_LEXER_TOKEN_H

#include "support/intern.h"
#include "support/source.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum TokenKind {
#define TOKEN(NAME, text) TOKEN_##NAME,
#include "lexer/tokens.def"
    TOKEN_KIND_COUNT,
} TokenKind;

typedef struct Token {
    TokenKind kind;
    bool first_on_line; // only blanks stand before it on its line
    bool spaced;        // does not follow the previous token directly
    Span span;
    union {
        Name name;
        // A magnitude. 2147483648 without `u` is let through: it is legal under a unary minus.
        struct {
            uint32_t value;
            bool is_unsigned;
        } integer;
        double real;
        Slice string; // escapes resolved
    };
} Token;

// The spelling of a mark or keyword, or the description of another kind ("a name").
const char *token_text(TokenKind kind);
// The enumerator without its prefix: "HEADER_COLON".
const char *token_kind_name(TokenKind kind);
// Whether every token of this kind is spelled `token_text(kind)`.
bool token_has_fixed_text(TokenKind kind);

// Words that only stand where a statement, a block or a modifier begins: never inside brackets,
// never in an expression.
bool token_is_statement_word(TokenKind kind);

#endif
