// See server.h. A message is a request, with an id, or a notification; the table methods.def says
// who handles it. What is no request gets an error of JSON-RPC, and the stream goes on.
#include "lsp/server.h"

#include "lsp/diagnostics.h"
#include "lsp/document.h"
#include "lsp/encoding.h"
#include "lsp/request.h"
#include "lsp/send.h"
#include "support/memory.h"

#include <stdlib.h>
#include <string.h>

enum { READ_FLAGS = JSON_ALLOW_NUL | JSON_DECODE_ANY };

typedef enum Needs { NEEDS_NOTHING, NEEDS_ANY, NEEDS_DOCUMENT } Needs;

typedef struct Method {
    const char *name;
    json_t *(*handler)(LspRequest *request);
    Needs needs;
} Method;

static const Method methods[] = {
#define LSP_METHOD(name, handler, NEEDS, capability, value) {name, handler, NEEDS_##NEEDS},
#include "lsp/methods.def"
};

LspServer *lsp_create(const LspSettings *settings,
                      void (*send)(void *data, const char *text, size_t len), void *send_data) {
    LspServer *server = memory_zeroed(sizeof(LspServer));
    server->settings = settings;
    server->send = send;
    server->send_data = send_data;
    server->arena = arena_create();
    server->published = json_object();
    server->folders = json_object();
    return server;
}

void lsp_destroy(LspServer *server) {
    lsp_close_all(server);
    arena_destroy(server->arena);
    free(server->complaint);
    json_decref(server->published);
    json_decref(server->initial);
    json_decref(server->folders);
    free(server);
}

// `id` stays the caller's; NULL: it is not known.
static void send_error(LspServer *server, json_t *id, int code, const char *text) {
    json_t *error = json_object();
    json_set(error, "code", json_integer(code));
    json_set(error, "message", json_word(text));
    json_t *message = json_object();
    json_set(message, "id", id == NULL ? json_null() : json_incref(id));
    json_set(message, "error", error);
    lsp_send(server, message);
}

json_t *lsp_fail(LspRequest *request, int error, const char *text) {
    request->error = error;
    request->error_text = text;
    return NULL;
}

const char *lsp_text(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

bool lsp_request_position(LspRequest *request, uint32_t *position) {
    const SourceFile *source = request->document->source;
    uint32_t offset = 0;
    if (!lsp_offset(request->server, source->text, source->len, &request->document->lines,
                    json_object_get(request->params, "position"), &offset)) {
        (void)lsp_fail(request, LSP_INVALID_PARAMS, "there is no position");
        return false;
    }
    *position = source->base + offset;
    return true;
}

bool lsp_request_span(LspRequest *request, Span *span) {
    const SourceFile *source = request->document->source;
    const json_t *range = json_object_get(request->params, "range");
    const LspLines *lines = &request->document->lines;
    uint32_t start = 0, end = 0;
    if (!lsp_offset(request->server, source->text, source->len, lines,
                    json_object_get(range, "start"), &start) ||
        !lsp_offset(request->server, source->text, source->len, lines,
                    json_object_get(range, "end"), &end)) {
        (void)lsp_fail(request, LSP_INVALID_PARAMS, "there is no range");
        return false;
    }
    *span = (Span){source->base + start, source->base + (end < start ? start : end)};
    return true;
}

static const Method *find_method(const char *name) {
    for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++) {
        if (strcmp(methods[i].name, name) == 0) {
            return &methods[i];
        }
    }
    return NULL;
}

// Finds the document that the method needs. Whether the handler can run: a request for a version
// that is gone is answered by `null`.
static bool find_document(LspRequest *request, const Method *method) {
    const json_t *named = json_object_get(request->params, "textDocument");
    request->document = lsp_find(request->server, lsp_text(named, "uri"));
    if (request->document == NULL) {
        if (method->needs == NEEDS_DOCUMENT) {
            (void)lsp_fail(request, LSP_INVALID_PARAMS, "this document is not open");
        }
        return method->needs == NEEDS_ANY;
    }
    const json_t *version = json_object_get(named, "version");
    if (json_is_integer(version) && json_integer_value(version) != request->document->version) {
        return false;
    }
    lsp_check(request->server, request->document);
    return true;
}

// Whether the client may call the method now; otherwise the request has an error.
static bool is_in_phase(LspRequest *request, const Method *method) {
    LspPhase phase = request->server->phase;
    bool is_first = method != NULL && method->handler == lsp_initialize;
    bool is_last = method != NULL && method->handler == lsp_exit;
    if (phase == LSP_NEW && !is_first && !is_last) {
        (void)lsp_fail(request, LSP_NOT_INITIALIZED, "`initialize` comes first");
    } else if (phase != LSP_NEW && is_first) {
        (void)lsp_fail(request, LSP_INVALID_REQUEST, "`initialize` came before");
    } else if (phase == LSP_SHUT_DOWN && !is_last) {
        (void)lsp_fail(request, LSP_INVALID_REQUEST, "after `shutdown` only `exit` comes");
    } else if (method == NULL) {
        (void)lsp_fail(request, LSP_METHOD_NOT_FOUND, "there is no such method");
    }
    return request->error == 0;
}

static void handle(LspServer *server, const char *name, json_t *id, const json_t *params) {
    LspRequest request = {.server = server, .params = params};
    const Method *method = find_method(name);
    json_t *result = NULL;
    if (is_in_phase(&request, method) &&
        (method->needs == NEEDS_NOTHING || find_document(&request, method))) {
        result = method->handler(&request);
    }
    if (id == NULL) {
        json_decref(result);
    } else if (request.error != 0) {
        json_decref(result);
        send_error(server, id, request.error, request.error_text);
    } else {
        json_t *message = json_object();
        json_set(message, "id", json_incref(id));
        json_set(message, "result", result == NULL ? json_null() : result);
        lsp_send(server, message);
    }
}

// Reads JSON; of one with bytes that are not UTF-8 the texts of documents keep them.
static json_t *load(LspServer *server, const char *text, size_t len, json_error_t *error) {
    json_t *message = json_loadb(text, len, READ_FLAGS, error);
    server->has_marks = message == NULL;
    if (message == NULL) {
        Buffer marked = {0};
        lsp_mark_bytes(text, len, &marked);
        message = json_loadb(marked.data, marked.len, READ_FLAGS, error);
        buffer_free(&marked);
    }
    return message;
}

void lsp_receive(LspServer *server, const char *text, size_t len) {
    json_error_t error;
    json_t *message = load(server, text, len, &error);
    if (message == NULL) {
        send_error(server, NULL, LSP_PARSE_ERROR, error.text);
        return;
    }
    json_t *id = json_object_get(message, "id");
    const char *method = lsp_text(message, "method");
    bool is_answer = json_object_get(message, "result") || json_object_get(message, "error");
    if (method != NULL && (id == NULL || json_is_integer(id) || json_is_string(id))) {
        handle(server, method, id, json_object_get(message, "params"));
    } else if (!is_answer) {
        send_error(server, NULL, LSP_INVALID_REQUEST, "this is no request");
    }
    json_decref(message);
}

void lsp_rest(LspServer *server) {
    if (server->phase == LSP_RUNNING) {
        lsp_publish(server);
    }
}
