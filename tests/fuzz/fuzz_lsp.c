// Any bytes are what a client may send, and any text is a document: the server answers, whatever is
// edited and asked for. Where edits go and what is asked follows from the bytes. At its end the
// program says how many messages the servers had.
#include "driver/front_options.h"
#include "lsp/frame.h"
#include "lsp/lsp.h"
#include "lsp/server.h"
#include "support/table.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const methods[] = {
#define LSP_METHOD(name, handler, NEEDS, capability, value) name,
#include "lsp/methods.def"
};

enum {
    METHODS = sizeof(methods) / sizeof(methods[0]),
    ROUNDS = 8,
    QUESTIONS = 6,
    LONGEST_EDIT = 40
};

static unsigned long long received;

static void tell_received(void) {
    fprintf(stderr, "%llu messages received\n", received);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    return atexit(tell_received);
}

static AstFile *refuse(void *data, const char *path, const char **error) {
    (void)data;
    (void)path;
    *error = "imports are off";
    return NULL;
}

static void drop(void *data, const char *text, size_t len) {
    size_t *sent = data;
    *sent += len + (text == NULL);
}

// Appends a text as JSON, with bytes that are no text as they are.
static void append_json(Buffer *out, const char *text, size_t len) {
    buffer_text(out, "\"");
    for (size_t i = 0; i < len; i++) {
        if ((unsigned char)text[i] < 0x20 || text[i] == '"' || text[i] == '\\') {
            buffer_format(out, "\\u%04x", (unsigned)text[i]);
        } else {
            buffer_append(out, text + i, 1);
        }
    }
    buffer_text(out, "\"");
}

static void receive(LspServer *server, Buffer *message) {
    lsp_receive(server, message->data, message->len);
    received++;
    buffer_free(message);
}

// Most positions are near the text, some nowhere.
static void append_position(Buffer *out, uint64_t hash) {
    static const char *const nowhere[] = {
        "null",
        "{}",
        "{\"line\":-1,\"character\":-1}",
        "{\"line\":0,\"character\":1e99}",
        "{\"line\":9223372036854775807,\"character\":9223372036854775807}",
        "{\"line\":4294967296,\"character\":[0]}"};
    if ((hash >> 44) % 32 == 0) {
        buffer_text(out, nowhere[(hash >> 50) % (sizeof(nowhere) / sizeof(nowhere[0]))]);
        return;
    }
    buffer_format(out, "{\"line\":%u,\"character\":%u}", (unsigned)(hash % 23),
                  (unsigned)(hash >> 8) % 50);
}

static void append_range(Buffer *out, uint64_t hash) {
    buffer_text(out, "{\"start\":");
    append_position(out, hash);
    buffer_text(out, ",\"end\":");
    append_position(out, hash + (hash >> 20) % 3);
    buffer_text(out, "}");
}

// An edit that takes a piece of the text to another place.
static void edit(LspServer *server, uint64_t hash, const char *text, size_t len) {
    size_t start = len == 0 ? 0 : (size_t)(hash >> 16) % len;
    size_t piece = (size_t)(hash >> 40) % LONGEST_EDIT;
    Buffer out = {0};
    buffer_text(&out,
                "{\"method\":\"textDocument/didChange\",\"params\":{\"textDocument\":"
                "{\"uri\":\"file:///fuzz.tml\",\"version\":2},\"contentChanges\":[{\"range\":");
    append_range(&out, hash);
    buffer_text(&out, ",\"text\":");
    append_json(&out, text + start, piece < len - start ? piece : len - start);
    buffer_text(&out, "}]}}");
    receive(server, &out);
}

static void ask(LspServer *server, uint64_t hash) {
    const char *method = methods[(hash >> 24) % METHODS];
    if (strcmp(method, "exit") == 0 || strcmp(method, "shutdown") == 0) {
        return;
    }
    Buffer out = {0};
    buffer_format(
        &out,
        "{\"id\":1,\"method\":\"%s\",\"params\":{\"textDocument\":{\"uri\":\"file:///fuzz.tml\"},"
        "\"newName\":\"renamed\",\"query\":\"a\",\"context\":{},\"position\":",
        method);
    append_position(&out, hash);
    buffer_text(&out, ",\"positions\":[");
    append_position(&out, hash);
    buffer_text(&out, "],\"range\":");
    append_range(&out, hash);
    buffer_text(&out, "}}");
    receive(server, &out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    LspSettings settings = {.options = front_defaults(),
                            .read_options = front_options_read,
                            .load = refuse,
                            .version = "0"};
    size_t sent = 0;
    const char *text = (const char *)data;
    LspServer *server = lsp_create(&settings, drop, &sent);
    Buffer start = {0};
    buffer_format(&start, "{\"id\":0,\"method\":\"initialize\",\"params\":{\"capabilities\":%s}}",
                  size % 2 == 0 ? "{}" : "{\"general\":{\"positionEncodings\":[\"utf-8\"]}}");
    receive(server, &start);
    Buffer open = {0};
    buffer_text(&open, "{\"method\":\"textDocument/didOpen\",\"params\":{\"textDocument\":"
                       "{\"uri\":\"file:///fuzz.tml\",\"version\":1,\"text\":");
    append_json(&open, text, size);
    buffer_text(&open, "}}}");
    receive(server, &open);
    uint64_t hash = size;
    for (size_t i = 0; i < size; i++) {
        hash = table_mix((uint32_t)hash, (uint32_t)(hash >> 32) + data[i]);
    }
    for (int round = 0; round < ROUNDS; round++) {
        hash = table_mix((uint32_t)hash, (uint32_t)(hash >> 32));
        for (int question = 0; question < QUESTIONS; question++) {
            ask(server, table_mix((uint32_t)hash, (uint32_t)question));
        }
        edit(server, hash, text, size);
        if (hash % 2 == 0) {
            lsp_rest(server);
        }
    }
    // The same bytes as a stream.
    FrameReader reader = {0};
    buffer_append(&reader.bytes, text, size);
    const char *message = NULL, *error = NULL;
    size_t len = 0;
    while (!server->is_over && frame_take(&reader, &message, &len, &error) == FRAME_MESSAGE) {
        lsp_receive(server, message, len);
        received++;
    }
    buffer_free(&reader.bytes);
    lsp_rest(server);
    lsp_destroy(server);
    return 0;
}
