// Making nodes as large as their kind needs, the spellings of operators, and chains: operators and
// brackets in a row, which are one level of the tree however long (ast.h).
#include "parser/ast.h"

#include "support/memory.h"

#include <string.h>

AstExpr *ast_new_expr(Arena *arena, AstExprKind kind, Span span) {
    static const uint8_t bytes[] = {
#define AST_EXPR(KIND, name, member) offsetof(AstExpr, member) + sizeof(((AstExpr *)0)->member),
#include "parser/ast.def"
    };
    AstExpr *expr = arena_alloc(arena, bytes[kind]);
    expr->kind = kind;
    expr->span = span;
    return expr;
}

AstStmt *ast_new_stmt(Arena *arena, AstStmtKind kind, Span span) {
    static const uint8_t bytes[] = {
#define AST_STMT(KIND, name, member) offsetof(AstStmt, member) + sizeof(((AstStmt *)0)->member),
#include "parser/ast.def"
    };
    AstStmt *stmt = arena_alloc(arena, bytes[kind]);
    stmt->kind = kind;
    stmt->span = span;
    return stmt;
}

bool ast_is_macro(const AstStmt *stmt) {
    return stmt->kind == AST_MACRO_FOR || stmt->kind == AST_MACRO_IF;
}

static const char *const binary_texts[] = {
#define AST_BINARY_OP(NAME, text) text,
#include "parser/ast.def"
};

const char *ast_unary_text(AstUnaryOp op) {
    static const char *const texts[] = {
#define AST_UNARY_OP(NAME, text) text,
#include "parser/ast.def"
    };
    return texts[op];
}

const char *ast_binary_text(AstBinaryOp op) {
    return binary_texts[op];
}

bool ast_is_binary_text(const char *text) {
    bool found = false;
    for (size_t i = 0; i < sizeof(binary_texts) / sizeof(binary_texts[0]); i++) {
        found |= strcmp(binary_texts[i], text) == 0;
    }
    return found;
}

bool ast_goes_on(const AstExpr *below, AstExprKind kind) {
    return below->kind == kind && !below->parenthesized;
}

// `speed.p`, `speed.n`
static bool is_properties(const AstExpr *expr) {
    return expr->kind == AST_ATTR && (strcmp(expr->attr.name.name->text, "p") == 0 ||
                                      strcmp(expr->attr.name.name->text, "n") == 0);
}

bool ast_is_place(const AstExpr *expr) {
    while (expr->kind == AST_INDEX) {
        expr = expr->index.object;
    }
    if (expr->kind == AST_ATTR) { // a terminal, or a part of an instance: `axis[1].p.kp`
        expr = expr->attr.object;
        expr = is_properties(expr) ? expr->attr.object : expr;
        expr = expr->kind == AST_INDEX && expr->chain == 1 ? expr->index.object : expr;
    }
    return expr->kind == AST_NAME || expr->kind == AST_ERROR;
}

AstExpr *ast_chain_next(const AstExpr *expr) {
    return expr->kind == AST_BINARY ? expr->binary.left : expr->index.object;
}

const AstExpr **ast_chain_nodes(const AstExpr *expr) {
    size_t count = expr->chain;
    const AstExpr **nodes = memory_resize(NULL, count * sizeof(*nodes));
    for (size_t i = 0; i < count; i++, expr = ast_chain_next(expr)) {
        nodes[i] = expr;
    }
    return nodes;
}

bool ast_is_indexed(Name name, Name stem) {
    if (strncmp(name->text, stem->text, stem->len) != 0) {
        return false;
    }
    const char *rest = name->text + stem->len;
    size_t indices = 0;
    for (; *rest == '_'; indices++) {
        size_t digits = strspn(rest + 1, "0123456789");
        if (digits == 0) {
            return false;
        }
        rest += 1 + digits;
    }
    return indices > 0 && *rest == '\0';
}

bool ast_name_may_be(const AstName *written, Name name) {
    return written->macro_indices.count == 0 ? written->name == name
                                             : ast_is_indexed(name, written->name);
}

bool ast_names_may_meet(const AstName *a, const AstName *b) {
    return a->macro_indices.count == 0   ? ast_name_may_be(b, a->name)
           : b->macro_indices.count == 0 ? ast_name_may_be(a, b->name)
                                         : a->name == b->name || ast_is_indexed(a->name, b->name) ||
                                               ast_is_indexed(b->name, a->name);
}
