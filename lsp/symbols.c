// The symbols of files: functions, tests, the interface of a component, instances, and what the
// file level assigns first. They come from the tree alone; those of the workspace also from files
// that no editor has opened, which are parsed when somebody asks.
#include "lsp/document.h"
#include "lsp/request.h"
#include "lsp/uri.h"
#include "lsp/workspace.h"
#include "parser/parse.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// Of the protocol.
typedef enum SymbolKind {
    SYMBOL_METHOD = 6,
    SYMBOL_PROPERTY = 7,
    SYMBOL_INTERFACE = 11,
    SYMBOL_FUNCTION = 12,
    SYMBOL_VARIABLE = 13,
    SYMBOL_CONSTANT = 14,
    SYMBOL_OBJECT = 19,
} SymbolKind;

typedef struct Symbol {
    const char *name;
    SymbolKind kind;
    Span span, name_span;
} Symbol;

typedef struct Symbols {
    Arena *arena;
    LIST_OF(Symbol) list;
} Symbols;

static void add(Symbols *symbols, const char *space, const AstName *name, SymbolKind kind,
                Span span) {
    const char *text = arena_format(symbols->arena, "%s%s", space, name->name->text);
    Symbol symbol = {text, kind, span_join(span, name->span), name->span};
    LIST_PUSH(symbols->arena, &symbols->list, symbol);
}

static bool has_symbol(const Symbols *symbols, const AstName *name) {
    for (size_t i = 0; i < symbols->list.count; i++) {
        if (strcmp(symbols->list.items[i].name, name->name->text) == 0) {
            return true;
        }
    }
    return false;
}

static void add_terminal(Symbols *symbols, const AstStmt *stmt) {
    const AstName *space = &stmt->terminal.space;
    char letter = space->name->text[0];
    SymbolKind kind = letter == 't'   ? SYMBOL_INTERFACE
                      : letter == 'p' ? SYMBOL_PROPERTY
                                      : SYMBOL_CONSTANT;
    add(symbols, arena_format(symbols->arena, "%s.", space->name->text), &stmt->terminal.name, kind,
        stmt->span);
}

static void collect(Symbols *symbols, const AstBlock *block) {
    for (size_t i = 0; i < block->count; i++) {
        const AstStmt *stmt = block->items[i];
        if (stmt->kind == AST_FUNCTION) {
            add(symbols, "", &stmt->function.name, SYMBOL_FUNCTION,
                span_join(stmt->span, stmt->function.end_span));
        } else if (stmt->kind == AST_TEST) {
            add(symbols, "test ", &stmt->function.name, SYMBOL_METHOD,
                span_join(stmt->span, stmt->function.end_span));
        } else if (stmt->kind == AST_TERMINAL) {
            add_terminal(symbols, stmt);
        } else if (stmt->kind == AST_IO) {
            add(symbols, "", &stmt->io.name, SYMBOL_INTERFACE, stmt->span);
        } else if (stmt->kind == AST_INSTANCE) {
            add(symbols, "", &stmt->instance.name, SYMBOL_OBJECT, stmt->span);
        } else if (stmt->kind == AST_MACRO_FOR) {
            collect(symbols, &stmt->for_loop.body);
        } else if (stmt->kind == AST_DECL) {
            add(symbols, "", &stmt->decl.name, SYMBOL_VARIABLE, stmt->span);
        } else if (stmt->kind == AST_ASSIGN && stmt->assign.target->kind == AST_NAME &&
                   !has_symbol(symbols, &stmt->assign.target->name)) {
            add(symbols, "", &stmt->assign.target->name, SYMBOL_VARIABLE, stmt->span);
        }
    }
}

json_t *lsp_document_symbol(LspRequest *request) {
    LspDocument *document = request->document;
    Symbols symbols = {.arena = arena_create()};
    collect(&symbols, &document->ast->statements);
    json_t *result = json_array();
    for (size_t i = 0; i < symbols.list.count; i++) {
        const Symbol *symbol = &symbols.list.items[i];
        json_t *item = json_object();
        json_set(item, "name", json_word(symbol->name));
        json_set(item, "kind", json_count(symbol->kind));
        json_set(item, "range", lsp_range(request->server, document, symbol->span));
        json_set(item, "selectionRange", lsp_range(request->server, document, symbol->name_span));
        json_add(result, item);
    }
    arena_destroy(symbols.arena);
    return result;
}

// Whether the letters of `query` come in `name` in their order, of any case.
static bool matches(const char *name, const char *query) {
    for (; *query != '\0' && *name != '\0'; name++) {
        query += tolower((unsigned char)*name) == tolower((unsigned char)*query);
    }
    return *query == '\0';
}

static void add_matching(const LspServer *server, LspDocument *document, const char *query,
                         json_t *result) {
    Symbols symbols = {.arena = arena_create()};
    collect(&symbols, &document->ast->statements);
    for (size_t i = 0; i < symbols.list.count; i++) {
        const Symbol *symbol = &symbols.list.items[i];
        if (matches(symbol->name, query)) {
            json_t *item = json_object();
            json_set(item, "name", json_word(symbol->name));
            json_set(item, "kind", json_count(symbol->kind));
            json_set(item, "location", lsp_location(server, document, symbol->name_span));
            json_add(result, item);
        }
    }
    arena_destroy(symbols.arena);
}

typedef struct FolderQuery {
    const LspServer *server;
    const char *text;
    json_t *result;
} FolderQuery;

// A file that is not open, as a document that nobody keeps.
static void add_file(const char *path, void *data) {
    const FolderQuery *query = data;
    Context *context = context_create();
    const char *error = NULL;
    AstFile *file = query->server->settings->load(context, path, &error);
    if (file != NULL) {
        json_t *uri = lsp_uri(path);
        LspDocument document = {
            .uri = (char *)json_string_value(uri),
            .context = context,
            .source = file->source,
            .ast = file,
        };
        lsp_lines_find(&document.lines, file->source->text, file->source->len);
        add_matching(query->server, &document, query->text, query->result);
        free(document.lines.starts);
        json_decref(uri);
    }
    context_destroy(context);
}

json_t *lsp_workspace_symbol(LspRequest *request) {
    LspServer *server = request->server;
    const char *query = lsp_text(request->params, "query");
    if (query == NULL) {
        return lsp_fail(request, LSP_INVALID_PARAMS, "there is no query");
    }
    json_t *result = json_array();
    for (LspDocument *document = server->documents; document; document = document->next) {
        lsp_check(server, document);
        add_matching(server, document, query, result);
    }
    FolderQuery closed = {server, query, result};
    lsp_each_closed(server, add_file, &closed);
    return result;
}
