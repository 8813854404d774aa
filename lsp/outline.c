// What a file consists of, for folds and growing selections. Folds come from the tokens and
// selections from the tree, so a file with errors has them, too.
#include "lsp/blocks.h"
#include "lsp/document.h"
#include "lsp/request.h"
#include "lsp/symbol.h"
#include "parser/ast_visit.h"

#include <stdlib.h>
#include <string.h>

static void add_fold(json_t *folds, uint32_t first, uint32_t last, const char *kind) {
    if (first >= last) {
        return;
    }
    json_t *fold = json_object();
    json_set(fold, "startLine", json_count(first));
    json_set(fold, "endLine", json_count(last));
    if (kind != NULL) {
        json_set(fold, "kind", json_word(kind));
    }
    json_add(folds, fold);
}

// What closes a block or bracket stays in sight.
static void add_blocks(json_t *folds, const LspDocument *document, const LspBlocks *blocks) {
    for (size_t i = 0; i < blocks->count; i++) {
        uint32_t first = lsp_line(&document->lines, blocks->items[i].header);
        uint32_t last = lsp_line(&document->lines, blocks->items[i].end);
        add_fold(folds, first, last == 0 ? 0 : last - 1, NULL);
    }
}

// Lines that are only comments, in a row, and imports likewise.
static void add_rows(json_t *folds, const LspDocument *document, const char *start,
                     const char *kind) {
    const LspLines *lines = &document->lines;
    uint32_t first = 0;
    for (uint32_t line = 0; line <= lines->count; line++) {
        const char *text = line < lines->count ? document->text.data + lines->starts[line] : "";
        text += strspn(text, " \t");
        if (!text_begins_with(text, start)) {
            add_fold(folds, first, line == 0 ? 0 : line - 1, kind);
            first = line + 1;
        }
    }
}

json_t *lsp_folding_range(LspRequest *request) {
    const LspDocument *document = request->document;
    Arena *arena = arena_create();
    LspBlocks blocks = {0}, brackets = {0};
    lsp_blocks(arena, document->text.data, document->text.len, &blocks, &brackets);
    json_t *folds = json_array();
    add_blocks(folds, document, &blocks);
    add_blocks(folds, document, &brackets);
    add_rows(folds, document, "#", "comment");
    add_rows(folds, document, "import ", "imports");
    arena_destroy(arena);
    return folds;
}

typedef struct Around {
    Arena *arena;
    uint32_t position;
    LIST_OF(Span) spans;
} Around;

static void add_span(Around *around, Span span) {
    if (span.start <= around->position && around->position <= span.end) {
        LIST_PUSH(around->arena, &around->spans, span);
    }
}

static bool see_expr(const AstExpr *expr, void *data) {
    add_span(data, expr->span);
    return false;
}

static bool see_stmt(const AstStmt *stmt, void *data) {
    add_span(data, stmt->span);
    return false;
}

// The name or number at the position.
static Span word_around(const SourceFile *source, uint32_t position) {
    uint32_t start = position - source->base;
    uint32_t end = start;
    while (start > 0 && lsp_is_name_byte(source->text[start - 1])) {
        start--;
    }
    while (lsp_is_name_byte(source->text[end])) {
        end++;
    }
    return (Span){source->base + start, source->base + end};
}

static void add_block_spans(Around *around, const LspDocument *document) {
    LspBlocks blocks = {0}, brackets = {0};
    uint32_t base = document->source->base;
    lsp_blocks(around->arena, document->text.data, document->text.len, &blocks, &brackets);
    for (size_t i = 0; i < blocks.count; i++) {
        // An `end` belongs to its block, and a closing bracket to what it closes.
        uint32_t closing =
            blocks.items[i].goes_on || blocks.items[i].end == document->text.len ? 0 : 3;
        add_span(around,
                 (Span){base + blocks.items[i].header, base + blocks.items[i].end + closing});
    }
    for (size_t i = 0; i < brackets.count; i++) {
        add_span(around, (Span){base + brackets.items[i].header, base + brackets.items[i].end + 1});
    }
}

static int by_length(const void *a, const void *b) {
    const Span *x = a;
    const Span *y = b;
    uint32_t left = x->end - x->start, right = y->end - y->start;
    return (left > right) - (left < right);
}

// Each selection holds the one before it; of others that overlap it only in part nothing is said.
static json_t *nest(const LspRequest *request, const Around *around) {
    LIST_OF(Span) chain = {0};
    for (size_t i = 0; i < around->spans.count; i++) {
        Span span = around->spans.items[i];
        Span last = chain.count == 0 ? (Span){around->position, around->position}
                                     : chain.items[chain.count - 1];
        bool is_larger = span.end - span.start > last.end - last.start;
        if (span.start <= last.start && last.end <= span.end && (is_larger || chain.count == 0)) {
            LIST_PUSH(around->arena, &chain, span);
        }
    }
    json_t *parent = NULL;
    for (size_t i = chain.count; i > 0; i--) {
        json_t *selection = json_object();
        json_set(selection, "range",
                 lsp_range(request->server, request->document, chain.items[i - 1]));
        if (parent != NULL) {
            json_set(selection, "parent", parent);
        }
        parent = selection;
    }
    return parent;
}

json_t *lsp_selection_range(LspRequest *request) {
    const LspDocument *document = request->document;
    const SourceFile *source = document->source;
    const json_t *positions = json_object_get(request->params, "positions");
    json_t *result = json_array();
    for (size_t i = 0; i < json_array_size(positions); i++) {
        uint32_t offset = 0;
        if (!lsp_offset(request->server, source->text, source->len, &document->lines,
                        json_array_get(positions, i), &offset)) {
            json_decref(result);
            return lsp_fail(request, LSP_INVALID_PARAMS, "there is no position");
        }
        Around around = {.arena = arena_create(), .position = source->base + offset};
        AstVisitor visitor = {.expr = see_expr, .stmt = see_stmt, .data = &around};
        add_span(&around, word_around(source, around.position));
        (void)ast_visit_block(&document->ast->statements, &visitor);
        add_block_spans(&around, document);
        add_span(&around, (Span){source->base, source->base + source->len});
        qsort(around.spans.items, around.spans.count, sizeof(Span), by_length);
        json_add(result, nest(request, &around));
        arena_destroy(around.arena);
    }
    return result;
}
