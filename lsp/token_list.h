// The tokens of a file, for what is asked while a line is not finished.
#ifndef TMLC_LSP_TOKEN_LIST_H
#define TMLC_LSP_TOKEN_LIST_H

#include "lsp/state.h"

LspTokens lsp_tokens(const SourceFile *source);
// Nothing is freed of what is zero.
void lsp_tokens_free(LspTokens *tokens);
// Those of the document's own text: kept, once somebody has asked, until its next check.
const LspTokens *lsp_document_tokens(LspDocument *document);
// How many of them end at or before a position.
size_t lsp_tokens_before(const LspTokens *tokens, uint32_t position);
// Whether a position is in a comment, or between the quotes of a text.
bool lsp_is_in_text(const LspDocument *document, const LspTokens *tokens, uint32_t position);

#endif
