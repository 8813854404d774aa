// See send.h.
#include "lsp/send.h"

#include "support/json.h"
#include "support/memory.h"

#include <stdlib.h>
#include <string.h>

void lsp_send(LspServer *server, json_t *message) {
    json_set(message, "jsonrpc", json_word("2.0"));
    char *text = json_dumps(message, JSON_COMPACT);
    if (text == NULL) {
        memory_failed();
    }
    server->send(server->send_data, text, strlen(text));
    free(text);
    json_decref(message);
}

void lsp_notify(LspServer *server, const char *method, json_t *params) {
    json_t *message = json_object();
    json_set(message, "method", json_word(method));
    json_set(message, "params", params);
    lsp_send(server, message);
}
