// Walks the syntax tree of each file for the rules of rules.def, and what these ask of it.
#include "sema/warn/state.h"

#include "parser/ast_visit.h"

// --- walking ------------------------------------------------------------------------------------

static void look_at_block(Checker *checker, const AstBlock *block) {
#define WARN_BLOCK(rule) rule(checker, block);
#include "sema/warn/rules.def"
}

static void look_at_blocks(Checker *checker, const AstStmt *stmt) {
    switch (stmt->kind) {
    case AST_IF:
    case AST_MACRO_IF:
        for (size_t k = 0; k < stmt->branch.arm_count; k++) {
            look_at_block(checker, &stmt->branch.arms[k].body);
        }
        look_at_block(checker, &stmt->branch.otherwise);
        return;
    case AST_WHILE: look_at_block(checker, &stmt->loop.body); return;
    case AST_FOR:
    case AST_MACRO_FOR: look_at_block(checker, &stmt->for_loop.body); return;
    case AST_GUARD:
        look_at_block(checker, &stmt->guard.body);
        look_at_block(checker, &stmt->guard.otherwise);
        return;
    case AST_FUNCTION: look_at_block(checker, &stmt->function.body); return;
    default: return; // has no block
    }
}

static bool look_at_stmt(const AstStmt *stmt, void *data) {
    Checker *checker = data;
    look_at_blocks(checker, stmt);
#define WARN_STMT(KIND, rule)       \
    if (stmt->kind == AST_##KIND) { \
        rule(checker, stmt);        \
    }
#include "sema/warn/rules.def"
    return false;
}

static bool look_at_expr(const AstExpr *expr, void *data) {
    Checker *checker = data;
#define WARN_EXPR(KIND, rule)       \
    if (expr->kind == AST_##KIND) { \
        rule(checker, expr);        \
    }
#include "sema/warn/rules.def"
    return false;
}

void warn_trees(Checker *checker) {
    AstVisitor visitor = {.expr = look_at_expr, .stmt = look_at_stmt, .data = checker};
    for (size_t k = 0; k < checker->units.count; k++) {
        const Unit *unit = checker->units.items[k];
        if (!unit->trusted) {
            checker->at.unit = checker->units.items[k];
            look_at_block(checker, &unit->file->statements);
            ast_visit_block(&unit->file->statements, &visitor);
        }
    }
    checker->at.unit = NULL;
}

// --- questions ----------------------------------------------------------------------------------

bool warn_literal_value(const AstExpr *expr, double *value) {
    if (expr->kind == AST_INTEGER) {
        *value = expr->integer.value;
        return true;
    }
    if (expr->kind == AST_REAL) {
        *value = expr->real;
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
