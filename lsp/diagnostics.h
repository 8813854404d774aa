// Messages of checks, as editors show them.
#ifndef TMLC_LSP_DIAGNOSTICS_H
#define TMLC_LSP_DIAGNOSTICS_H

#include "lsp/state.h"

// Checks what is stale, and tells the client all messages of files whose messages may be others
// now.
void lsp_publish(LspServer *server);

// One message of the document's check.
json_t *lsp_diagnostic(LspServer *server, LspDocument *document, const Diag *diag);

#endif
