// See document.h. Each document keeps its compilation's memory from one check to the next.
#include "lsp/document.h"

#include "lsp/options.h"
#include "lsp/position.h"
#include "lsp/token_list.h"
#include "lsp/uri.h"
#include "parser/parse.h"
#include "support/bug.h"
#include "support/json.h"
#include "support/memory.h"

#include <stdlib.h>
#include <string.h>

LspDocument *lsp_find(const LspServer *server, const char *uri) {
    LspDocument *document = server->documents;
    while (document != NULL && (uri == NULL || strcmp(document->uri, uri) != 0)) {
        document = document->next;
    }
    return document;
}

// The path without links; as it is where no file has it.
static char *identity_of(const char *path) {
    Arena *arena = arena_create();
    const char *found = front_identify(arena, path);
    Buffer identity = {0};
    buffer_text(&identity, found == NULL ? path : found);
    arena_destroy(arena);
    return identity.data;
}

LspDocument *lsp_find_path(const LspServer *server, const char *path) {
    char *identity = identity_of(path);
    LspDocument *document = server->documents;
    while (document != NULL && strcmp(document->identity, identity) != 0) {
        document = document->next;
    }
    free(identity);
    return document;
}

bool lsp_is_file(const LspDocument *document, const SourceFile *source) {
    return source != NULL && (source == document->source || source->path[0] == '/');
}

// Who opens or closes an import makes its importers stale, so that this is found again.
const char *lsp_file_uri(const LspServer *server, LspDocument *document, const SourceFile *file) {
    if (file == NULL || file == document->source) {
        return document->uri;
    }
    Arena *arena = document->context->arena;
    if (document->uris == NULL) {
        document->uris =
            ARENA_ARRAY(arena, const char *, sources_count(document->context->sources));
    }
    const char **known = &document->uris[file->index];
    if (*known == NULL) {
        const LspDocument *open = lsp_find_path(server, file->path);
        json_t *uri = open != NULL ? json_word(open->uri) : lsp_uri(file->path);
        *known = arena_copy_text(arena, json_string_value(uri), json_string_length(uri));
        json_decref(uri);
    }
    return *known;
}

static bool imports(const LspDocument *document, const LspDocument *file) {
    for (size_t i = 0; i < document->wanted.count; i++) {
        if (strcmp(document->wanted.items[i], file->identity) == 0) {
            return true;
        }
    }
    return false;
}

// All documents, or those that import the file of this one, are to be checked again.
static void make_stale(LspServer *server, const LspDocument *changed) {
    for (LspDocument *document = server->documents; document; document = document->next) {
        bool is_meant = changed == NULL || document == changed || imports(document, changed);
        document->is_stale |= is_meant;
    }
}

void lsp_files_changed(LspServer *server) {
    for (LspDocument *document = server->documents; document; document = document->next) {
        free(document->identity);
        document->identity = identity_of(document->path);
    }
    make_stale(server, NULL);
}

static LspDocument *create(const char *uri) {
    LspDocument *document = memory_zeroed(sizeof(LspDocument));
    Buffer name = {0};
    buffer_text(&name, uri);
    document->uri = name.data;
    document->path = lsp_uri_path(uri);
    document->identity = identity_of(document->path);
    return document;
}

LspDocument *lsp_open(LspServer *server, const char *uri, const char *text, size_t len) {
    LspDocument *document = lsp_find(server, uri);
    if (document == NULL) {
        document = create(uri);
        document->next = server->documents;
        server->documents = document;
    }
    lsp_replace(server, document, 0, (uint32_t)document->text.len, text, len);
    return document;
}

void lsp_replace(LspServer *server, LspDocument *document, uint32_t start, uint32_t end,
                 const char *text, size_t len) {
    Buffer *buffer = &document->text;
    size_t rest = buffer->len - end;
    size_t old = end - start;
    if (len > old) {
        buffer_repeat(buffer, ' ', len - old);
    }
    buffer_text(buffer, ""); // there is a text, and a zero byte behind it
    memmove(buffer->data + start + len, buffer->data + end, rest);
    memcpy(buffer->data + start, text, len);
    buffer->len = start + len + rest;
    buffer->data[buffer->len] = '\0';
    lsp_lines_find(&document->lines, buffer->data, buffer->len);
    make_stale(server, document);
}

void lsp_close(LspServer *server, LspDocument *document) {
    LspDocument **at = &server->documents;
    while (*at != document) {
        at = &(*at)->next;
    }
    make_stale(server, document);
    *at = document->next;
    lsp_drop(document);
}

void lsp_drop(LspDocument *document) {
    lsp_tokens_free(&document->tokens);
    if (document->context != NULL) {
        context_destroy(document->context);
    }
    if (document->option_arena != NULL) {
        arena_destroy(document->option_arena);
    }
    buffer_free(&document->text);
    free(document->lines.starts);
    free(document->identity);
    free(document->path);
    free(document->uri);
    free(document);
}

void lsp_close_all(LspServer *server) {
    while (server->documents != NULL) {
        lsp_close(server, server->documents);
    }
}

typedef struct Loader {
    LspServer *server;
    LspDocument *document;
} Loader;

// What an editor holds of an import is newer than the file.
static AstFile *load(void *data, const char *path, const char **error) {
    Loader *loader = data;
    Context *context = loader->document->context;
    char *identity = identity_of(path);
    const char *wanted = arena_copy_text(context->arena, identity, strlen(identity));
    free(identity);
    LIST_PUSH(context->arena, &loader->document->wanted, wanted);
    const LspDocument *open = lsp_find_path(loader->server, path);
    if (open == NULL) {
        return loader->server->settings->load(context, path, error);
    }
    SourceFile *source = sources_add(context->sources, path, open->text.data, open->text.len);
    if (source == NULL) {
        *error = "too large";
        return NULL;
    }
    return parse_file(context, source);
}

static void forget_check(LspDocument *document) {
    lsp_tokens_free(&document->tokens);
    if (document->context == NULL) {
        document->context = context_create();
    } else {
        context_reset(document->context);
    }
    document->ast = NULL;
    document->program = NULL;
    document->notes = (Notes){0};
    document->wanted = (TextList){0};
    document->imported = NULL;
    document->uris = NULL;
    document->failure = NULL;
}

// Notes of a file with syntax errors: what they swallowed may have declared names, so that messages
// would mislead, but what is known of the rest is true.
static void note_rest(Context *context, AstFile *ast, CheckOptions check) {
    DiagList *shown = context->diags;
    context->diags = diags_create(context->arena);
    check.no_warnings = true;
    check_program(context, ast, &check);
    context->diags = shown;
}

void lsp_check(LspServer *server, LspDocument *document) {
    if (!document->is_stale) {
        return;
    }
    document->is_stale = false;
    document->is_new = true;
    forget_check(document);
    Context *context = document->context;
    document->source =
        sources_add(context->sources, document->path, document->text.data, document->text.len);
    CHECK(document->source != NULL); // messages have a limit far below that of texts
    document->ast = parse_file(context, document->source);
    Loader loader = {server, document};
    CheckOptions check = {
        .load = load,
        .load_data = &loader,
        .identify = front_identify,
        .tests = TESTS_CHECKED,
        .notes = &document->notes,
    };
    bool is_whole = front_is_whole(context->diags);
    lsp_find_options(server, document);
    if (front_prepare(context, &document->options, &check, &document->failure)) {
        document->program = front_check(context, document->ast, &document->options, &check);
        if (!is_whole) {
            note_rest(context, document->ast, check);
        }
    }
}

LspDocument *lsp_aside(LspServer *server, const char *uri, Buffer text) {
    LspDocument *document = create(uri);
    document->text = text;
    lsp_lines_find(&document->lines, text.data, text.len);
    document->is_stale = true;
    lsp_check(server, document);
    return document;
}
