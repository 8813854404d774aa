// textDocument/definition, references and documentHighlight. A symbol is known in every document
// whose check has read the file that declares it.
#include "lsp/references.h"

#include "lsp/document.h"

#include <stdlib.h>

// The file of another document's check that the client calls `uri`; NULL when there is none.
static const SourceFile *find_file(const LspServer *server, const LspDocument *document,
                                   const json_t *uri) {
    const SourceMap *sources = document->context->sources;
    for (uint32_t k = 0; k < sources_count(sources); k++) {
        const SourceFile *file = sources_file(sources, k);
        if (!lsp_is_file(document, file)) {
            continue;
        }
        json_t *other = lsp_file_uri(server, document, file);
        bool is_same = json_equal(uri, other) != 0;
        json_decref(other);
        if (is_same) {
            return file;
        }
    }
    return NULL;
}

void lsp_each_document(Arena *arena, LspRequest *request, const LspSymbol *symbol,
                       void (*each)(LspDocument *document, const LspSymbol *symbol, void *data),
                       void *data) {
    LspServer *server = request->server;
    each(request->document, symbol, data);
    if (symbol->declarations.count == 0) {
        return;
    }
    const SourceMap *sources = request->document->context->sources;
    SourcePlace place = sources_place(sources, symbol->declarations.items[0].start);
    json_t *uri = lsp_file_uri(server, request->document, place.file);
    for (LspDocument *other = server->documents; other != NULL; other = other->next) {
        if (other == request->document) {
            continue;
        }
        lsp_check(server, other);
        const SourceFile *file = find_file(server, other, uri);
        LspSymbol there;
        if (file != NULL && lsp_symbol_declared(arena, other, file->base + place.offset, &there)) {
            each(other, &there, data);
        }
    }
    json_decref(uri);
}

typedef struct Finder {
    LspRequest *request;
    bool has_declarations; // are wanted, too
    json_t *found;
    json_t *known; // what is in `found`, as texts
} Finder;

static void add_location(Finder *finder, LspDocument *document, Span span) {
    json_t *location = lsp_location(finder->request->server, document, span);
    char *text = json_dumps(location, JSON_COMPACT);
    if (text != NULL && json_object_get(finder->known, text) == NULL) {
        json_set(finder->known, text, json_true());
        json_add(finder->found, json_incref(location));
    }
    free(text);
    json_decref(location);
}

static bool is_declaration(const LspDocument *document, const LspSymbol *symbol, Span place) {
    for (size_t k = 0; k < symbol->declarations.count; k++) {
        if (lsp_name_itself(document, symbol->declarations.items[k]).start == place.start) {
            return true;
        }
    }
    return false;
}

static void add_places(LspDocument *document, const LspSymbol *symbol, void *data) {
    Finder *finder = data;
    for (size_t k = 0; k < symbol->places.count; k++) {
        Span place = symbol->places.items[k];
        if (finder->has_declarations || !is_declaration(document, symbol, place)) {
            add_location(finder, document, place);
        }
    }
}

static json_t *finish(Finder *finder, Arena *arena) {
    json_decref(finder->known);
    arena_destroy(arena);
    return finder->found;
}

json_t *lsp_references(LspRequest *request) {
    uint32_t position = 0;
    if (!lsp_request_position(request, &position)) {
        return NULL;
    }
    const json_t *context = json_object_get(request->params, "context");
    Finder finder = {
        .request = request,
        .has_declarations = !json_is_false(json_object_get(context, "includeDeclaration")),
        .found = json_array(),
        .known = json_object(),
    };
    Arena *arena = arena_create();
    LspSymbol symbol;
    if (lsp_symbol_at(arena, request->document, position, &symbol)) {
        lsp_each_document(arena, request, &symbol, add_places, &finder);
    }
    return finish(&finder, arena);
}

json_t *lsp_definition(LspRequest *request) {
    uint32_t position = 0;
    if (!lsp_request_position(request, &position)) {
        return NULL;
    }
    Finder finder = {.request = request, .found = json_array(), .known = json_object()};
    Arena *arena = arena_create();
    LspSymbol symbol;
    if (lsp_symbol_at(arena, request->document, position, &symbol)) {
        for (size_t k = 0; k < symbol.declarations.count; k++) {
            Span itself = lsp_name_itself(request->document, symbol.declarations.items[k]);
            add_location(&finder, request->document, itself);
        }
    }
    return finish(&finder, arena);
}

json_t *lsp_document_highlight(LspRequest *request) {
    enum { KIND_TEXT = 1 };
    uint32_t position = 0;
    if (!lsp_request_position(request, &position)) {
        return NULL;
    }
    LspDocument *document = request->document;
    json_t *found = json_array();
    Arena *arena = arena_create();
    LspSymbol symbol;
    bool has_symbol = lsp_symbol_at(arena, document, position, &symbol);
    for (size_t k = 0; has_symbol && k < symbol.places.count; k++) {
        Span place = symbol.places.items[k];
        if (sources_place(document->context->sources, place.start).file == document->source) {
            json_t *highlight = json_object();
            json_set(highlight, "range", lsp_range(request->server, document, place));
            json_set(highlight, "kind", json_integer(KIND_TEXT));
            json_add(found, highlight);
        }
    }
    arena_destroy(arena);
    return found;
}
