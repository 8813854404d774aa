// Tokens, as the grammar sees them. Their kinds are listed in lexer/tokens.def.
#ifndef TMLC_LEXER_TOKEN_H
#define TMLC_LEXER_TOKEN_H

#include "support/intern.h"
#include "support/source.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum TokenKind {
#define TOKEN(NAME, text, roles) TOKEN_##NAME,
#include "lexer/tokens.def"
    TOKEN_KIND_COUNT,
} TokenKind;

// What a kind can mean where it stands.
typedef enum TokenRole {
    // Only begins a statement, a block or a modifier: never inside brackets or an expression.
    TOKEN_STATEMENT = 1,
    TOKEN_ENDS = 2,   // an expression may end with it: `'` behind it transposes, a bracket applies
    TOKEN_CALLED = 4, // a `(` behind it applies, too: casts and the `!` of reductions
    TOKEN_EITHER = 8, // a statement may begin with it, and an expression
    TOKEN_VALUE = 16, // an expression may begin with it, and no statement
    TOKEN_OPENS = 32, // a bracket
    TOKEN_CLOSES = 64,
} TokenRole;

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
        struct {
            double value;
            float single; // the same rounded once, for --real=f32
        } real;
        Slice string; // escapes resolved
    };
} Token;

typedef struct TokenRow {
    const char *name; // the enumerator without its prefix: "HEADER_COLON"
    const char *text; // the spelling of a mark or keyword, or the description of another kind
    unsigned roles;
} TokenRow;

const TokenRow *token_row(TokenKind kind);
const char *token_text(TokenKind kind);
// Whether the kind has one of these roles.
bool token_is(TokenKind kind, unsigned roles);
// Whether every token of this kind is spelled `token_text(kind)`.
bool token_has_fixed_text(TokenKind kind);
// Whether it is a word of the language, which is no name but behind a dot.
bool token_is_reserved(const char *text);

#endif
