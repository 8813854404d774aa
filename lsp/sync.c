// Documents as the client opens, edits, saves and closes them, and its settings.
#include "lsp/document.h"
#include "lsp/encoding.h"
#include "lsp/options.h"
#include "lsp/request.h"

// The bytes of a text of the message; NULL when it is none. To be freed.
static bool read_text(const LspRequest *request, const json_t *value, Buffer *text) {
    if (!json_is_string(value)) {
        return false;
    }
    buffer_text(text, "");
    if (request->server->has_marks) {
        lsp_unmark_bytes(json_string_value(value), json_string_length(value), text);
    } else {
        buffer_append(text, json_string_value(value), json_string_length(value));
    }
    return true;
}

json_t *lsp_did_open(LspRequest *request) {
    const json_t *named = json_object_get(request->params, "textDocument");
    const char *uri = lsp_text(named, "uri");
    Buffer text = {0};
    if (uri != NULL && read_text(request, json_object_get(named, "text"), &text)) {
        LspDocument *document = lsp_open(request->server, uri, text.data, text.len);
        document->version = json_integer_value(json_object_get(named, "version"));
    }
    buffer_free(&text);
    return NULL;
}

// Applies one change: a new text for a range or, without one, for all.
static void change(LspServer *server, LspDocument *document, const json_t *range,
                   const Buffer *text) {
    uint32_t start = 0;
    uint32_t end = (uint32_t)document->text.len;
    const Buffer *old = &document->text;
    if (json_is_object(range) && (!lsp_offset(server, old->data, old->len, &document->lines,
                                              json_object_get(range, "start"), &start) ||
                                  !lsp_offset(server, old->data, old->len, &document->lines,
                                              json_object_get(range, "end"), &end))) {
        return;
    }
    lsp_replace(server, document, start, end < start ? start : end, text->data, text->len);
}

static LspDocument *find(const LspRequest *request) {
    const json_t *named = json_object_get(request->params, "textDocument");
    return lsp_find(request->server, lsp_text(named, "uri"));
}

json_t *lsp_did_change(LspRequest *request) {
    LspDocument *document = find(request);
    const json_t *changes = json_object_get(request->params, "contentChanges");
    for (size_t i = 0; document != NULL && i < json_array_size(changes); i++) {
        const json_t *item = json_array_get(changes, i);
        Buffer text = {0};
        if (read_text(request, json_object_get(item, "text"), &text)) {
            change(request->server, document, json_object_get(item, "range"), &text);
        }
        buffer_free(&text);
    }
    if (document != NULL) {
        const json_t *named = json_object_get(request->params, "textDocument");
        document->version = json_integer_value(json_object_get(named, "version"));
    }
    return NULL;
}

// Some file is new on the disk: an import, or a file of options.
json_t *lsp_did_save(LspRequest *request) {
    lsp_files_changed(request->server);
    return NULL;
}

json_t *lsp_did_close(LspRequest *request) {
    LspDocument *document = find(request);
    if (document != NULL) {
        lsp_close(request->server, document);
    }
    return NULL;
}

// What the server holds of a document: {"text", "version"}. For tests and reports of mistakes.
json_t *lsp_document_text(LspRequest *request) {
    const LspDocument *document = request->document;
    json_t *result = json_object();
    json_set(result, "text", json_text(document->text.data, document->text.len));
    json_set(result, "version", json_integer(document->version));
    return result;
}

// Clients send their settings under the server's name, or these alone; some send none, and mean
// those from the beginning.
json_t *lsp_did_change_configuration(LspRequest *request) {
    const json_t *settings = json_object_get(request->params, "settings");
    const json_t *own = json_object_get(settings, "tmlc");
    lsp_take_options(request->server, own == NULL ? settings : own, request->server->initial);
    for (LspDocument *document = request->server->documents; document; document = document->next) {
        document->is_stale = true;
    }
    return NULL;
}
