// What the client is sent.
#ifndef TMLC_LSP_SEND_H
#define TMLC_LSP_SEND_H

#include "lsp/state.h"

// Sends a message of JSON-RPC; takes it over.
void lsp_send(LspServer *server, json_t *message);
// Sends a notification; takes `params` over.
void lsp_notify(LspServer *server, const char *method, json_t *params);

#endif
