// The documents that are open, and the files beside them.
#ifndef TMLC_LSP_DOCUMENT_H
#define TMLC_LSP_DOCUMENT_H

#include "lsp/state.h"

// The open document of a URI, as clients spell it; NULL when there is none.
LspDocument *lsp_find(const LspServer *server, const char *uri);
// The open document of a file, by links or spelling.
LspDocument *lsp_find_path(const LspServer *server, const char *path);

// Whether a source of the document's compilation is a file: not NULL, an option or the prelude.
bool lsp_is_file(const LspDocument *document, const SourceFile *source);
// What the client calls a file of the document's compilation.
const char *lsp_file_uri(const LspServer *server, LspDocument *document, const SourceFile *file);

// Opens a document with a text, or gives an open one a new text.
LspDocument *lsp_open(LspServer *server, const char *uri, const char *text, size_t len);
// Bytes [start, end) become `text`.
void lsp_replace(LspServer *server, LspDocument *document, uint32_t start, uint32_t end,
                 const char *text, size_t len);
void lsp_close(LspServer *server, LspDocument *document);
void lsp_close_all(LspServer *server);

// A document of this name and text, checked, of which the server knows nothing; for lsp_drop. The
// text is taken over.
LspDocument *lsp_aside(LspServer *server, const char *uri, Buffer text);
void lsp_drop(LspDocument *document);

// All documents are to be checked again, after files have come or gone on the disk: a path may lead
// elsewhere now.
void lsp_files_changed(LspServer *server);

// Checks the document if it is stale. Imports come from open documents first.
void lsp_check(LspServer *server, LspDocument *document);

#endif
