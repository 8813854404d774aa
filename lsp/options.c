// See options.h. The client's options become words of a command line, so that one reader knows them
// all: {"define": {"n.dt": 0.01}} is `-Dn.dt=0.01`.
#include "lsp/options.h"

#include "lsp/send.h"
#include "support/json.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN_AS_ERROR = 1 };

static void add_word(LspServer *server, const char *option, const char *text) {
    const char *word = arena_format(server->arena, "%s%s", option, text);
    LIST_PUSH(server->arena, &server->words, word);
}

// A text, a list of texts, or an object, whose members are `name=value`.
static void add_words(LspServer *server, const char *option, const json_t *value) {
    if (json_is_string(value)) {
        add_word(server, option, json_string_value(value));
    }
    for (size_t i = 0; i < json_array_size(value); i++) {
        add_words(server, option, json_array_get(value, i));
    }
    const char *name;
    json_t *member;
    json_object_foreach((json_t *)value, name, member) {
        char *number = json_dumps(member, JSON_ENCODE_ANY);
        const char *text = json_is_string(member) ? json_string_value(member) : number;
        add_word(server, option, arena_format(server->arena, "%s=%s", name, text));
        free(number);
    }
}

void lsp_take_options(LspServer *server, const json_t *object, const json_t *base) {
    static const struct {
        const char *name, *option;
    } rows[] = {
        {"define", "-D"},    {"connect", "--with="},
        {"real", "--real="}, {"rankPromotion", "--rank-promotion="},
        {"warnings", "-W"},
    };
    arena_destroy(server->arena);
    server->arena = arena_create();
    server->words = (TextList){0};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const json_t *value = json_object_get(object, rows[i].name);
        value = value == NULL ? json_object_get(base, rows[i].name) : value;
        add_words(server, rows[i].option, value);
    }
}

// Shows a text that the client was not shown last.
static void complain(LspServer *server, const Buffer *text) {
    bool is_known = server->complaint != NULL && strcmp(server->complaint, text->data) == 0;
    free(server->complaint);
    server->complaint = strdup(text->data);
    if (!is_known) {
        json_t *params = json_object();
        json_set(params, "type", json_count(SHOWN_AS_ERROR));
        json_set(params, "message", json_text(text->data, text->len));
        lsp_notify(server, "window/showMessage", params);
    }
}

void lsp_find_options(LspServer *server, LspDocument *document) {
    if (document->option_arena == NULL) {
        document->option_arena = arena_create();
    } else {
        arena_reset(document->option_arena);
    }
    FrontOptions *options = &document->options;
    *options = server->settings->options;
    Buffer error = {0};
    size_t wrong = 0;
    const LspSettings *settings = server->settings;
    Arena *arena = document->option_arena;
    bool is_good = settings->read_project == NULL ||
                   settings->read_project(arena, document->path, options, &error);
    if (!is_good || !settings->read_options(arena, &server->words, NULL, options, &wrong, &error)) {
        complain(server, &error);
    }
    buffer_free(&error);
    // They are for all documents.
    options->shared_definitions = options->definitions.count;
    options->shared_connections = options->connections.count;
}
