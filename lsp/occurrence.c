// See occurrence.h.
#include "lsp/occurrence.h"

#include "parser/ast_visit.h"
#include "support/table.h"

typedef struct Collector {
    Arena *arena;
    Table noted; // by where they begin: notes, and what is found
    const AstFile *file;
    const AstStmt *function;
    Occurrences *found;
} Collector;

const void *lsp_key_of(Span span) {
    return (const void *)(uintptr_t)span.start;
}

Span lsp_function_span(const AstStmt *function) {
    return span_join(function->span, function->function.end_span);
}

static void add(Collector *collector, Occurrence occurrence) {
    if (span_is_nowhere(occurrence.span) ||
        table_get(&collector->noted, lsp_key_of(occurrence.span)) != NULL) {
        return;
    }
    bool in_function = collector->function != NULL &&
                       span_has(lsp_function_span(collector->function), occurrence.span.start);
    occurrence.function = in_function ? collector->function : NULL;
    occurrence.file = collector->file;
    table_set(collector->arena, &collector->noted, lsp_key_of(occurrence.span), collector);
    LIST_PUSH(collector->arena, collector->found, occurrence);
}

static void add_name(Collector *collector, const AstName *name, bool declares) {
    add(collector, (Occurrence){.span = name->span, .name = name->name, .declares = declares});
}

static char space_of(const AstExpr *object) {
    bool is_letter = object->kind == AST_NAME && object->name.name->len == 1;
    char letter = is_letter ? object->name.name->text[0] : '\0';
    return letter == 't' || letter == 'p' || letter == 'n' ? letter : '\0';
}

static bool visit_expr(const AstExpr *expr, void *data) {
    Collector *collector = data;
    if (expr->kind == AST_NAME) {
        add_name(collector, &expr->name, false);
    } else if (expr->kind == AST_ATTR && space_of(expr->attr.object) != '\0') {
        add(collector, (Occurrence){.span = expr->span,
                                    .name = expr->attr.name.name,
                                    .space = space_of(expr->attr.object)});
    } else if (expr->kind == AST_CALL && expr->call.callee->kind == AST_NAME) {
        const AstName *callee = &expr->call.callee->name;
        add(collector, (Occurrence){.span = callee->span, .name = callee->name, .is_called = true});
        for (size_t k = 0; k < expr->call.args.count; k++) {
            const AstExpr *arg = expr->call.args.items[k];
            if (arg->kind == AST_NAMED_ARG) {
                add(collector, (Occurrence){.span = arg->named.name.span,
                                            .name = arg->named.name.name,
                                            .callee = expr->call.callee->name.name});
            }
        }
    }
    return false;
}

static bool visit_stmt(const AstStmt *stmt, void *data) {
    Collector *collector = data;
    if (stmt->kind == AST_TEST) {
        collector->function = stmt;
    } else if (stmt->kind == AST_FUNCTION) {
        collector->function = NULL;
        add_name(collector, &stmt->function.name, true);
        collector->function = stmt;
        for (size_t k = 0; k < stmt->function.param_count; k++) {
            add_name(collector, &stmt->function.params[k].name, true);
        }
    } else if (stmt->kind == AST_ASSIGN && stmt->assign.target->kind == AST_NAME) {
        const AstName *name = &stmt->assign.target->name;
        add(collector, (Occurrence){.span = name->span, .name = name->name, .is_target = true});
    } else if (stmt->kind == AST_DECL) {
        add_name(collector, &stmt->decl.name, true);
    } else if (stmt->kind == AST_FOR || stmt->kind == AST_MACRO_FOR) {
        add_name(collector, &stmt->for_loop.name, true);
    }
    return false;
}

Occurrences lsp_occurrences(Arena *arena, const Notes *notes) {
    Occurrences found = {0};
    Collector collector = {.arena = arena, .found = &found};
    for (size_t k = 0; k < notes->names.count; k++) {
        const void *key = lsp_key_of(notes->names.items[k].span);
        if (table_get(&collector.noted, key) == NULL) {
            table_set(arena, &collector.noted, key, &collector);
        }
    }
    AstVisitor visitor = {.expr = visit_expr, .stmt = visit_stmt, .data = &collector};
    for (size_t k = 0; k < notes->files.count; k++) {
        collector.file = notes->files.items[k];
        collector.function = NULL;
        ast_visit_block(&collector.file->statements, &visitor);
    }
    return found;
}

bool lsp_occurrence_fits(const Occurrence *at, NameRole role, const AstStmt *function) {
    if (at->callee != NULL) {
        return role == NAME_PARAMETER && function != NULL &&
               function->function.name.name == at->callee;
    }
    return !at->is_called || role == NAME_FUNCTION;
}

typedef struct Around {
    uint32_t position;
    const AstStmt *function;
} Around;

static bool is_around(const AstStmt *stmt, void *data) {
    Around *around = data;
    bool is_function = stmt->kind == AST_FUNCTION || stmt->kind == AST_TEST;
    if (is_function && span_has(lsp_function_span(stmt), around->position)) {
        around->function = stmt;
    }
    return around->function != NULL;
}

const AstStmt *lsp_function_around(const Notes *notes, uint32_t position) {
    Around around = {.position = position};
    AstVisitor visitor = {.stmt = is_around, .data = &around};
    for (size_t k = 0; k < notes->files.count && around.function == NULL; k++) {
        const AstBlock *statements = &notes->files.items[k]->statements;
        for (size_t i = 0; i < statements->count && around.function == NULL; i++) {
            const AstStmt *stmt = statements->items[i];
            bool is_function = stmt->kind == AST_FUNCTION || stmt->kind == AST_TEST;
            (void)(is_function ? is_around(stmt, &around) : ast_visit_stmt(stmt, &visitor));
        }
    }
    return around.function;
}
