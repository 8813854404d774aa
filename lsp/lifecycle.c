// How a session begins and ends, and what client and server agree on at its beginning.
#include "lsp/options.h"
#include "lsp/request.h"
#include "lsp/workspace.h"

#include <string.h>

typedef struct Capability {
    const char *name;
    const char *value; // in JSON
} Capability;

static const Capability capabilities[] = {
#define LSP_METHOD(method, handler, NEEDS, capability, value) {capability, value},
#include "lsp/methods.def"
};

// Whether a list of the client has a word.
static bool offers(const json_t *list, const char *word) {
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *item = json_string_value(json_array_get(list, i));
        if (item != NULL && strcmp(item, word) == 0) {
            return true;
        }
    }
    return false;
}

static json_t *write_capabilities(const LspServer *server) {
    json_t *result = json_object();
    json_set(result, "positionEncoding", json_word(server->utf8 ? "utf-8" : "utf-16"));
    for (size_t i = 0; i < sizeof(capabilities) / sizeof(capabilities[0]); i++) {
        const Capability *row = &capabilities[i];
        if (row->name[0] != '\0') {
            json_set(result, row->name, json_loads(row->value, JSON_DECODE_ANY, NULL));
        }
    }
    return result;
}

json_t *lsp_initialize(LspRequest *request) {
    LspServer *server = request->server;
    const json_t *client = json_object_get(request->params, "capabilities");
    const json_t *text = json_object_get(client, "textDocument");
    const json_t *diagnostics = json_object_get(text, "publishDiagnostics");
    const json_t *hover = json_object_get(text, "hover");
    const json_t *item = json_object_get(json_object_get(text, "completion"), "completionItem");
    server->phase = LSP_RUNNING;
    // Whether it counts in bytes, too; UTF-16 every client knows.
    server->utf8 =
        offers(json_object_get(json_object_get(client, "general"), "positionEncodings"), "utf-8");
    server->related = json_is_true(json_object_get(diagnostics, "relatedInformation"));
    server->markdown = offers(json_object_get(hover, "contentFormat"), "markdown");
    server->snippets = json_is_true(json_object_get(item, "snippetSupport"));
    server->links = json_is_true(json_object_get(diagnostics, "codeDescriptionSupport"));
    server->client = json_integer_value(json_object_get(request->params, "processId"));
    lsp_note_folders(server, request->params);
    const json_t *options = json_object_get(request->params, "initializationOptions");
    server->tests = offers(json_object_get(options, "commands"), LSP_TEST_COMMAND);
    server->initial = json_deep_copy(options);
    lsp_take_options(server, options, NULL);
    json_t *info = json_object();
    json_set(info, "name", json_word("tmlc"));
    json_set(info, "version", json_word(server->settings->version));
    json_t *result = json_object();
    json_set(result, "capabilities", write_capabilities(server));
    json_set(result, "serverInfo", info);
    return result;
}

json_t *lsp_initialized(LspRequest *request) {
    (void)request;
    return NULL;
}

json_t *lsp_shutdown(LspRequest *request) {
    request->server->phase = LSP_SHUT_DOWN;
    return NULL;
}

json_t *lsp_exit(LspRequest *request) {
    request->server->is_over = true;
    return NULL;
}
