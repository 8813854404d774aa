// The rules of rules.def, as the checker walks the syntax tree, and what they ask of it.
#include "sema/warn/state.h"

#include "parser/ast_visit.h"

void warn_block(Checker *checker, const AstBlock *block) {
    if (warn_is_wanted(checker)) {
#define WARN_BLOCK(rule) rule(checker, block);
#include "sema/warn/rules.def"
    }
}

void warn_stmt(Checker *checker, const AstStmt *stmt) {
    if (warn_is_wanted(checker)) {
#define WARN_STMT(KIND, rule)       \
    if (stmt->kind == AST_##KIND) { \
        rule(checker, stmt);        \
    }
#include "sema/warn/rules.def"
    }
}

void warn_expr(Checker *checker, const AstExpr *expr) {
    if (warn_is_wanted(checker)) {
#define WARN_EXPR(KIND, rule)       \
    if (expr->kind == AST_##KIND) { \
        rule(checker, expr);        \
    }
#include "sema/warn/rules.def"
    }
}

bool warn_literal_value(const AstExpr *expr, double *value) {
    if (expr->kind == AST_INTEGER) {
        *value = expr->integer.value;
        return true;
    }
    if (expr->kind == AST_REAL) {
        *value = expr->real.value;
        return true;
    }
    bool is_sign = expr->kind == AST_UNARY &&
                   (expr->unary.op == AST_UNARY_MINUS || expr->unary.op == AST_UNARY_PLUS);
    if (!is_sign || !warn_literal_value(expr->unary.operand, value)) {
        return false;
    }
    *value = expr->unary.op == AST_UNARY_MINUS ? -*value : *value;
    return true;
}

bool warn_calls_function(const AstExpr *expr, void *scope) {
    if (expr->kind != AST_CALL || expr->call.callee->kind != AST_NAME) {
        return false;
    }
    const AstName *name = &expr->call.callee->name;
    const Symbol *callee = scope_find(scope, name->name);
    return name->macro_indices.count > 0 || (callee != NULL && callee->kind == SYMBOL_FUNCTION);
}

static bool is_name(const AstExpr *expr, void *data) {
    (void)data;
    return expr->kind == AST_NAME || expr->kind == AST_ERROR;
}

bool warn_has_names(const AstExpr *expr) {
    AstVisitor visitor = {.expr = is_name};
    return ast_visit_expr(expr, &visitor);
}
