// The server as a function of messages: it takes one, sends any number, and never waits.
#ifndef TMLC_LSP_SERVER_H
#define TMLC_LSP_SERVER_H

#include "lsp/state.h"

// `send` takes each message for the client, JSON without a header.
LspServer *lsp_create(const LspSettings *settings,
                      void (*send)(void *data, const char *text, size_t len), void *send_data);
void lsp_destroy(LspServer *server);

// Answers one message. Documents that it changes are not checked before lsp_rest, or a request that
// asks about them.
void lsp_receive(LspServer *server, const char *text, size_t len);
// Nothing more is to be read at the moment: what is stale is checked and its messages are sent.
void lsp_rest(LspServer *server);

#endif
