// textDocument/inlayHint: the types of variables whose declarations name none, and the sizes that
// calls give functions. What differs from one instance or copy to the next has no hint, and neither
// has a number: its type can be seen.
#include "lsp/describe.h"
#include "lsp/occurrence.h"
#include "lsp/request.h"
#include "parser/ast_visit.h"
#include "support/table.h"

#include <string.h>

// All that is known of one place, by where it begins.
typedef struct Known {
    const Type *type;     // of a variable
    const CallNote *call; // of a call
    const char *sizes;    // of that
    bool differs;         // from instance to instance, or it declares nothing in a copy of a macro
} Known;

typedef struct Hints {
    LspRequest *request;
    Arena *arena;
    Span wanted;
    Table known;
    json_t *found;
} Hints;

static Known *known_at(Hints *hints, Span span) {
    Known *known = table_get(&hints->known, lsp_key_of(span));
    if (known == NULL) {
        known = ARENA_NEW(hints->arena, Known);
        table_set(hints->arena, &hints->known, lsp_key_of(span), known);
    }
    return known;
}

static bool is_wanted(const Hints *hints, Span span) {
    return hints->wanted.start <= span.start && span.start < hints->wanted.end;
}

static void collect_names(Hints *hints) {
    const Notes *notes = &hints->request->document->notes;
    for (size_t k = 0; k < notes->names.count; k++) {
        const NameNote *note = &notes->names.items[k];
        bool is_variable = note->role == NAME_LOCAL || note->role == NAME_GLOBAL;
        if (!is_variable || !is_wanted(hints, note->span)) {
            continue;
        }
        Known *known = known_at(hints, note->span);
        known->differs |= !note->declares || type_is_poison(note->type) ||
                          (known->type != NULL && known->type != note->type);
        known->type = note->type;
    }
}

static void collect_calls(Hints *hints) {
    const Notes *notes = &hints->request->document->notes;
    for (size_t k = 0; k < notes->calls.count; k++) {
        const CallNote *call = &notes->calls.items[k];
        if (!is_wanted(hints, call->span)) {
            continue;
        }
        Known *known = known_at(hints, call->span);
        const char *sizes = describe_sizes(hints->arena, notes, call->callee);
        known->differs |= known->call != NULL && strcmp(known->sizes, sizes) != 0;
        known->call = call;
        known->sizes = sizes;
    }
}

// At most so many characters; the last one is a mark where some are left out.
static const char *cut(Arena *arena, const char *text) {
    enum { LABEL_LIMIT = 30 };
    return strlen(text) <= LABEL_LIMIT
               ? text
               : arena_format(arena, "%.*s\xE2\x80\xA6", LABEL_LIMIT - 1, text);
}

static void add_hint(Hints *hints, Span behind, const char *label, const char *tooltip) {
    enum { KIND_TYPE = 1 };
    json_t *hint = json_object();
    json_set(hint, "position",
             lsp_position(hints->request->server, hints->request->document, behind.end));
    json_set(hint, "label", json_word(cut(hints->arena, label)));
    json_set(hint, "kind", json_integer(KIND_TYPE));
    json_set(hint, "tooltip", json_word(tooltip));
    json_add(hints->found, hint);
}

static bool is_plain(const AstExpr *value) {
    bool is_signed = value->kind == AST_UNARY &&
                     (value->unary.op == AST_UNARY_MINUS || value->unary.op == AST_UNARY_PLUS);
    value = is_signed ? value->unary.operand : value;
    return value->kind == AST_INTEGER || value->kind == AST_REAL || value->kind == AST_BOOLEAN;
}

static bool hint_declaration(const AstStmt *stmt, void *data) {
    Hints *hints = data;
    if (stmt->kind != AST_ASSIGN || stmt->assign.compound || stmt->assign.optional ||
        stmt->assign.target->kind != AST_NAME || is_plain(stmt->assign.value) ||
        !is_wanted(hints, stmt->assign.target->span)) {
        return false;
    }
    Span name = stmt->assign.target->span;
    const Known *known = table_get(&hints->known, lsp_key_of(name));
    if (known != NULL && known->type != NULL && !known->differs) {
        const char *type = describe_short_type(hints->arena, known->type);
        add_hint(hints, name, arena_format(hints->arena, ": %s", type),
                 describe_type(hints->arena, known->type));
    }
    return false;
}

static bool hint_call(const AstExpr *expr, void *data) {
    Hints *hints = data;
    if (expr->kind == AST_CALL && is_wanted(hints, expr->span)) {
        const Known *known = table_get(&hints->known, lsp_key_of(expr->span));
        if (known != NULL && known->call != NULL && !known->differs && *known->sizes != '\0') {
            add_hint(hints, expr->call.callee->span,
                     arena_format(hints->arena, "<%s>", known->sizes),
                     describe_signature(hints->arena, hints->request->document,
                                        known->call->declaration));
        }
    }
    return false;
}

json_t *lsp_inlay_hint(LspRequest *request) {
    Hints hints = {.request = request};
    if (!lsp_request_span(request, &hints.wanted)) {
        return NULL;
    }
    hints.arena = arena_create();
    hints.found = json_array();
    collect_names(&hints);
    collect_calls(&hints);
    AstVisitor visitor = {.expr = hint_call, .stmt = hint_declaration, .data = &hints};
    ast_visit_block(&request->document->ast->statements, &visitor);
    arena_destroy(hints.arena);
    return hints.found;
}
