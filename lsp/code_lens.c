// textDocument/codeLens: above each test what runs it, and above the first one what runs them all.
// The client does so, by its command `tmlc.test`, because tests need code, and its user wants to
// see them run; one that does not say in its options that it has this command gets none.
#include "lsp/request.h"
#include "support/json.h"

static void add_lens(const LspRequest *request, json_t *lenses, const AstStmt *test,
                     const char *title, const char *what) {
    json_t *arguments = json_array();
    json_add(arguments, json_word("test"));
    json_add(arguments, json_word(what));
    json_t *command = json_object();
    json_set(command, "title", json_word(title));
    json_set(command, "command", json_word(LSP_TEST_COMMAND));
    json_set(command, "arguments", arguments);
    json_t *lens = json_object();
    json_set(lens, "range", lsp_range(request->server, request->document, test->span));
    json_set(lens, "command", command);
    json_add(lenses, lens);
}

json_t *lsp_code_lens(LspRequest *request) {
    const LspDocument *document = request->document;
    const AstBlock *statements = &document->ast->statements;
    json_t *lenses = json_array();
    Arena *arena = arena_create();
    bool can_run = request->server->tests && document->path[0] == '/';
    for (size_t k = 0; can_run && k < statements->count; k++) {
        const AstStmt *stmt = statements->items[k];
        if (stmt->kind == AST_TEST) {
            bool is_first = json_array_size(lenses) == 0;
            unsigned line = sources_place(document->context->sources, stmt->span.start).line;
            add_lens(request, lenses, stmt, "run test",
                     arena_format(arena, "%s:%u", document->path, line));
            if (is_first) {
                add_lens(request, lenses, stmt, "run all tests of this file", document->path);
            }
        }
    }
    arena_destroy(arena);
    return lenses;
}
