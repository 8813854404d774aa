// The options by which documents are checked: of the command line, of their projects, of the
// client.
#ifndef TMLC_LSP_OPTIONS_H
#define TMLC_LSP_OPTIONS_H

#include "lsp/state.h"

// Takes the client's options, of `initialize` or a change of its settings: an object with define,
// connect, real, rankPromotion and warnings. Members that it lacks are those of `base`, and have no
// say where that lacks them too; null is a member.
void lsp_take_options(LspServer *server, const json_t *object, const json_t *base);

// Finds the options of a document. The client is told what is wrong with them, once.
void lsp_find_options(LspServer *server, LspDocument *document);

#endif
