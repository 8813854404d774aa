// textDocument/definition, references and documentHighlight. A symbol is known in every document
// whose check has read the file that declares it. Of what no editor has opened is checked only what
// has its name and could have read that file.
#include "lsp/references.h"

#include "lsp/document.h"
#include "lsp/uri.h"
#include "lsp/workspace.h"
#include "parser/ast_visit.h"
#include "support/path.h"

#include <stdlib.h>
#include <string.h>

// The file of another document's check that the client calls `uri`; NULL when there is none.
static const SourceFile *find_file(const LspServer *server, LspDocument *document,
                                   const char *uri) {
    const SourceMap *sources = document->context->sources;
    for (uint32_t k = 0; k < sources_count(sources); k++) {
        const SourceFile *file = sources_file(sources, k);
        if (lsp_is_file(document, file) && strcmp(lsp_file_uri(server, document, file), uri) == 0) {
            return file;
        }
    }
    return NULL;
}

// Where a symbol is declared, and who wants to know what it is elsewhere.
typedef struct Search {
    Arena *arena;
    LspServer *server;
    const char *uri;  // of the file that declares it
    uint32_t offset;  // of that in the file
    const char *name; // of the symbol itself, or what begins it
    const char *also; // a name that also makes a file count, or NULL
    void (*each)(LspDocument *document, const LspSymbol *symbol, void *data);
    void *data;
} Search;

static void search_document(const Search *search, LspDocument *document) {
    const SourceFile *file = find_file(search->server, document, search->uri);
    LspSymbol there;
    if (file != NULL &&
        lsp_symbol_declared(search->arena, document, file->base + search->offset, &there)) {
        search->each(document, &there, search->data);
    }
}

static bool reads_other(const AstStmt *stmt, void *data) {
    (void)data;
    return stmt->kind == AST_IMPORT || stmt->kind == AST_INSTANCE;
}

static bool mentions(const Search *search, const char *text) {
    return strstr(text, search->name) != NULL ||
           (search->also != NULL && strstr(text, search->also) != NULL);
}

static void search_file(const char *path, void *data) {
    const Search *search = data;
    Context *context = context_create();
    const char *error = NULL;
    const AstFile *file = search->server->settings->load(context, path, &error);
    AstVisitor visitor = {.stmt = reads_other};
    if (file != NULL && mentions(search, file->source->text) &&
        ast_visit_block(&file->statements, &visitor)) {
        Buffer text = {0};
        buffer_append(&text, file->source->text, file->source->len);
        json_t *uri = lsp_uri(path);
        LspDocument *document = lsp_aside(search->server, json_string_value(uri), text);
        search_document(search, document);
        lsp_drop(document);
        json_decref(uri);
    }
    context_destroy(context);
}

// Whether other files can name it. A parameter they can, as that of an argument.
static bool is_seen_elsewhere(NameRole role) {
    return role != NAME_LOCAL && role != NAME_LOOP && role != NAME_MACRO && role != NAME_SIZE;
}

void lsp_each_document(Arena *arena, LspRequest *request, const LspSymbol *symbol, const char *also,
                       void (*each)(LspDocument *document, const LspSymbol *symbol, void *data),
                       void *data) {
    LspServer *server = request->server;
    each(request->document, symbol, data);
    if (symbol->declarations.count == 0 || !is_seen_elsewhere(symbol->role)) {
        return;
    }
    const SourceMap *sources = request->document->context->sources;
    Span declaration = symbol->declarations.items[0];
    SourcePlace place = sources_place(sources, declaration.start);
    Slice name = sources_text(sources, lsp_name_itself(request->document, declaration));
    Search search = {
        .arena = arena,
        .server = server,
        .uri = lsp_file_uri(server, request->document, place.file),
        .offset = place.offset,
        .name = arena_copy_text(arena, name.data, name.len),
        .also = also,
        .each = each,
        .data = data,
    };
    for (LspDocument *other = server->documents; other != NULL; other = other->next) {
        if (other != request->document) {
            lsp_check(server, other);
            search_document(&search, other);
        }
    }
    lsp_each_closed(server, search_file, &search);
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
        lsp_each_document(arena, request, &symbol, NULL, add_places, &finder);
    }
    return finish(&finder, arena);
}

// The path of an import or a component that a position is in.
typedef struct PathSearch {
    uint32_t position;
    Slice path;
    bool is_found;
} PathSearch;

static bool names_file(const AstStmt *stmt, void *data) {
    PathSearch *search = data;
    bool is_import = stmt->kind == AST_IMPORT;
    if (is_import || stmt->kind == AST_INSTANCE) {
        Span span = is_import ? stmt->import.path_span : stmt->instance.path_span;
        search->is_found = span.start <= search->position && search->position <= span.end;
        search->path = is_import ? stmt->import.path : stmt->instance.path;
    }
    return search->is_found;
}

// The beginning of the file whose path the position is in, if there is one.
static void add_named_file(const LspRequest *request, Arena *arena, uint32_t position,
                           json_t *found) {
    const LspDocument *document = request->document;
    PathSearch search = {.position = position};
    AstVisitor visitor = {.stmt = names_file, .data = &search};
    if (!ast_visit_block(&document->ast->statements, &visitor)) {
        return;
    }
    const char *path = path_from(arena, document->source->path, search.path);
    const LspDocument *open = lsp_find_path(request->server, path);
    if (open != NULL || front_identify(arena, path) != NULL) {
        json_t *location = json_pack("{s:{s:{s:i,s:i},s:{s:i,s:i}}}", "range", "start", "line", 0,
                                     "character", 0, "end", "line", 0, "character", 0);
        json_set(location, "uri", open != NULL ? json_word(open->uri) : lsp_uri(path));
        json_add(found, location);
    }
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
    } else {
        add_named_file(request, arena, position, finder.found);
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
