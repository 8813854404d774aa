// What handlers of methods share. lsp/methods.def says how to add one.
#ifndef TMLC_LSP_REQUEST_H
#define TMLC_LSP_REQUEST_H

#include "lsp/position.h"
#include "lsp/state.h"
#include "support/json.h"

#define LSP_METHOD(name, handler, NEEDS, capability, value) json_t *handler(LspRequest *request);
#include "lsp/methods.def"

// The command of clients that runs `tmlc` with its arguments.
#define LSP_TEST_COMMAND "tmlc.test"

// Codes of JSON-RPC and of the protocol.
enum {
    LSP_PARSE_ERROR = -32700,
    LSP_INVALID_REQUEST = -32600,
    LSP_METHOD_NOT_FOUND = -32601,
    LSP_INVALID_PARAMS = -32602,
    LSP_NOT_INITIALIZED = -32002,
    LSP_REQUEST_FAILED = -32803,
};

// The answer is an error; `text` outlives the request. Returns NULL, for handlers to return.
json_t *lsp_fail(LspRequest *request, int error, const char *text);

// params.position as a position of the document's compilation. False, after lsp_fail, when there is
// none.
__attribute__((warn_unused_result)) bool lsp_request_position(LspRequest *request,
                                                              uint32_t *position);
// params.range likewise.
__attribute__((warn_unused_result)) bool lsp_request_span(LspRequest *request, Span *span);

// The text of `object.key`, or NULL.
const char *lsp_text(const json_t *object, const char *key);

#endif
