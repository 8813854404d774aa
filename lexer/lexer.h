// Source text to tokens. The scanner (lexer/scanner.h) knows characters; the lexer adds what
// depends on neighbouring tokens: reserved words, line ends and brackets (L1.4).
#ifndef TMLC_LEXER_LEXER_H
#define TMLC_LEXER_LEXER_H

#include "lexer/token.h"
#include "support/buffer.h"
#include "support/context.h"

typedef struct Lexer Lexer;

// Begins to read `source`. Errors (E01xx) go to context->diags.
Lexer *lexer_create(Context *context, SourceFile *source);
void lexer_destroy(Lexer *lexer);

// The next token; at the end TOKEN_END_OF_FILE, as often as one asks. Text that is no token is
// reported and left out; a malformed literal is a TOKEN_BAD_LITERAL.
Token lexer_next(Lexer *lexer);

// The innermost bracket that is open after the last token; nowhere, and TOKEN_END_OF_FILE, when
// there is none.
Span lexer_open_bracket(const Lexer *lexer);
TokenKind lexer_open_bracket_kind(const Lexer *lexer);
size_t lexer_bracket_count(const Lexer *lexer);
// Takes all brackets as closed: the parser met an error and begins a new statement.
void lexer_forget_brackets(Lexer *lexer);
// No error is reported of what stands before `position`: the parser has said what is wrong there.
void lexer_mute(Lexer *lexer, uint32_t position);

// Appends one line per token, `line:column KIND text`, for `--emit=tokens`.
void lexer_print_tokens(Buffer *out, Context *context, SourceFile *source);

#endif
