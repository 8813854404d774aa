// See ast_visit.h. Chains are walked in a loop, so the depth of recursion is that of the tree,
// which the parser bounds. A new kind of node is added here once, for all who only look for
// something.
#include "parser/ast_visit.h"

#include "support/bug.h"

static bool visit_type(const AstType *type, const AstVisitor *visitor) {
    if (type == NULL) {
        return false;
    }
    switch (type->kind) {
    case AST_TYPE_TENSOR:
        return visit_type(type->tensor.base, visitor) ||
               ast_visit_exprs(&type->tensor.dims, visitor);
    case AST_TYPE_OF: return ast_visit_expr(type->of, visitor);
    case AST_TYPE_SCALAR:
    case AST_TYPE_ERROR: return false;
    }
    UNREACHABLE();
}

static bool is_found(const AstExpr *expr, const AstVisitor *visitor) {
    return visitor->expr(expr, visitor->data);
}

bool ast_visit_exprs(const AstExprs *exprs, const AstVisitor *visitor) {
    for (size_t k = 0; k < exprs->count; k++) {
        if (ast_visit_expr(exprs->items[k], visitor)) {
            return true;
        }
    }
    return false;
}

// The parts of `expr` beside the one at which a chain goes on.
static bool visit_link(const AstExpr *expr, const AstVisitor *visitor) {
    return expr->kind == AST_BINARY ? ast_visit_expr(expr->binary.right, visitor)
                                    : ast_visit_exprs(&expr->index.indices, visitor);
}

bool ast_visit_expr(const AstExpr *expr, const AstVisitor *visitor) {
    if (expr == NULL || visitor->expr == NULL) { // statements are not in expressions
        return false;
    }
    bool found = is_found(expr, visitor);
    for (; !found && expr->chain > 0; expr = ast_chain_next(expr)) {
        found = visit_link(expr, visitor) || is_found(ast_chain_next(expr), visitor);
    }
    if (found) {
        return true;
    }
    switch (expr->kind) {
    case AST_INTEGER:
    case AST_REAL:
    case AST_BOOLEAN:
    case AST_STRING:
    case AST_ELLIPSIS:
    case AST_ERROR: return false;
    case AST_NAME: return ast_visit_exprs(&expr->name.macro_indices, visitor);
    case AST_ATTR:
        return ast_visit_expr(expr->attr.object, visitor) ||
               ast_visit_exprs(&expr->attr.name.macro_indices, visitor);
    case AST_CALL:
        return ast_visit_expr(expr->call.callee, visitor) ||
               ast_visit_exprs(&expr->call.args, visitor);
    case AST_CAST:
        return visit_type(expr->cast.type, visitor) || ast_visit_expr(expr->cast.arg, visitor);
    case AST_UNARY: return ast_visit_expr(expr->unary.operand, visitor);
    case AST_BINARY:
    case AST_INDEX: break; // walked above
    case AST_TRANSPOSE: return ast_visit_expr(expr->transpose.operand, visitor);
    case AST_TENSOR: return ast_visit_exprs(&expr->tensor.elements, visitor);
    case AST_RANGE:
        return ast_visit_expr(expr->range.first, visitor) ||
               ast_visit_expr(expr->range.last, visitor) ||
               ast_visit_expr(expr->range.step, visitor);
    case AST_OPTIONAL: return ast_visit_expr(expr->optional, visitor);
    case AST_TYPE_ARG: return visit_type(expr->type, visitor);
    case AST_NAMED_ARG: return ast_visit_expr(expr->named.value, visitor);
    }
    UNREACHABLE();
}

bool ast_visit_block(const AstBlock *block, const AstVisitor *visitor) {
    for (size_t k = 0; k < block->count; k++) {
        if (ast_visit_stmt(block->items[k], visitor)) {
            return true;
        }
    }
    return false;
}

static bool visit_arms(const AstStmt *stmt, const AstVisitor *visitor) {
    for (size_t k = 0; k < stmt->branch.arm_count; k++) {
        const AstArm *arm = &stmt->branch.arms[k];
        if (ast_visit_expr(arm->condition, visitor) || ast_visit_block(&arm->body, visitor)) {
            return true;
        }
    }
    return ast_visit_block(&stmt->branch.otherwise, visitor);
}

static bool visit_function(const AstStmt *stmt, const AstVisitor *visitor) {
    for (size_t k = 0; k < stmt->function.param_count; k++) {
        const AstParam *param = &stmt->function.params[k];
        if (visit_type(param->type, visitor) || ast_visit_expr(param->value, visitor)) {
            return true;
        }
    }
    for (size_t k = 0; k < stmt->function.result_count; k++) {
        if (visit_type(stmt->function.results[k], visitor)) {
            return true;
        }
    }
    return ast_visit_block(&stmt->function.body, visitor);
}

static bool visit_instance(const AstStmt *stmt, const AstVisitor *visitor) {
    for (size_t k = 0; k < stmt->instance.setting_count; k++) {
        if (ast_visit_expr(stmt->instance.settings[k].value, visitor)) {
            return true;
        }
    }
    return ast_visit_expr(stmt->instance.count, visitor) ||
           ast_visit_expr(stmt->instance.every, visitor) ||
           ast_visit_expr(stmt->instance.offset, visitor);
}

bool ast_visit_stmt(const AstStmt *stmt, const AstVisitor *visitor) {
    if (visitor->passes != NULL && visitor->passes(stmt, visitor->data)) {
        return false;
    }
    if (visitor->stmt != NULL && visitor->stmt(stmt, visitor->data)) {
        return true;
    }
    switch (stmt->kind) {
    case AST_ASSIGN:
    case AST_SEND:
        return ast_visit_expr(stmt->assign.target, visitor) ||
               ast_visit_expr(stmt->assign.value, visitor);
    case AST_ASSIGN_ALL:
        return ast_visit_exprs(&stmt->assign_all.targets, visitor) ||
               ast_visit_expr(stmt->assign_all.value, visitor);
    case AST_DECL:
        return visit_type(stmt->decl.type, visitor) || ast_visit_expr(stmt->decl.value, visitor);
    case AST_IO:
        return visit_type(stmt->io.type, visitor) || ast_visit_exprs(&stmt->io.arguments, visitor);
    case AST_TERMINAL:
        return visit_type(stmt->terminal.type, visitor) ||
               ast_visit_expr(stmt->terminal.value, visitor);
    case AST_IF:
    case AST_MACRO_IF: return visit_arms(stmt, visitor);
    case AST_WHILE:
        return ast_visit_expr(stmt->loop.condition, visitor) ||
               ast_visit_block(&stmt->loop.body, visitor);
    case AST_FOR:
    case AST_MACRO_FOR:
        return ast_visit_expr(stmt->for_loop.range, visitor) ||
               ast_visit_block(&stmt->for_loop.body, visitor);
    case AST_RETURN: return ast_visit_exprs(&stmt->values, visitor);
    case AST_CALL_STMT: return ast_visit_expr(stmt->call, visitor);
    case AST_GUARD:
        return ast_visit_exprs(&stmt->guard.names, visitor) ||
               ast_visit_block(&stmt->guard.body, visitor) ||
               ast_visit_block(&stmt->guard.otherwise, visitor);
    case AST_INSTANCE: return visit_instance(stmt, visitor);
    case AST_CONNECT:
        return ast_visit_expr(stmt->connect.target, visitor) ||
               ast_visit_expr(stmt->connect.value, visitor);
    case AST_FUNCTION:
    case AST_TEST: return visit_function(stmt, visitor);
    case AST_BREAK:
    case AST_CONTINUE:
    case AST_PASS:
    case AST_IMPORT:
    case AST_ERROR_STMT: return false;
    }
    UNREACHABLE();
}
