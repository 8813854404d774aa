// The tokens of a file, for what is asked while a line is not finished.
#ifndef TMLC_LSP_TOKEN_LIST_H
#define TMLC_LSP_TOKEN_LIST_H

#include "lexer/token.h"
#include "lsp/state.h"

typedef struct LspTokens {
    Context *context;    // of the names in them
    LIST_OF(Token) list; // with spans as in the file's compilation; the last is the end
} LspTokens;

LspTokens lsp_tokens(const SourceFile *source);
void lsp_tokens_free(LspTokens *tokens);
// How many of them end at or before a position.
size_t lsp_tokens_before(const LspTokens *tokens, uint32_t position);
// Whether a position is in a comment, or between the quotes of a text.
bool lsp_is_in_text(const LspDocument *document, const LspTokens *tokens, uint32_t position);

#endif
