// All places of a symbol, in all open documents, and in the sources of the workspace.
#ifndef TMLC_LSP_REFERENCES_H
#define TMLC_LSP_REFERENCES_H

#include "lsp/request.h"
#include "lsp/symbol.h"

// Calls `each` on the symbol, and on what it is in the other open documents and in the sources of
// the workspace that are not open: these may import the file that declares it. Of the latter only
// those count that have its name in them, or `also` unless that is NULL, and their documents are
// gone after the call. `arena` is the request's.
void lsp_each_document(Arena *arena, LspRequest *request, const LspSymbol *symbol, const char *also,
                       void (*each)(LspDocument *document, const LspSymbol *symbol, void *data),
                       void *data);

#endif
