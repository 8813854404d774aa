// See ast_visit.h. Chains are walked in a loop, so the depth of recursion is that of the tree,
// which the parser bounds. A new kind of node is added here once, for all who only look for
// something.
#include "parser/ast_visit.h"

#include "support/bug.h"

static void visit_exprs(const AstExprs *exprs, const AstVisitor *visitor) {
    for (size_t k = 0; k < exprs->count; k++) {
        ast_visit_expr(exprs->items[k], visitor);
    }
}

static void visit_type(const AstType *type, const AstVisitor *visitor) {
    if (type == NULL) {
        return;
    }
    switch (type->kind) {
    case AST_TYPE_TENSOR:
        visit_type(type->tensor.base, visitor);
        visit_exprs(&type->tensor.dims, visitor);
        return;
    case AST_TYPE_OF: ast_visit_expr(type->of, visitor); return;
    case AST_TYPE_SCALAR:
    case AST_TYPE_ERROR: return;
    }
    UNREACHABLE();
}

// The parts of `expr` beside the one at which a chain goes on.
static void visit_link(const AstExpr *expr, const AstVisitor *visitor) {
    if (expr->kind == AST_BINARY) {
        ast_visit_expr(expr->binary.right, visitor);
    } else {
        visit_exprs(&expr->index.indices, visitor);
    }
}

void ast_visit_expr(const AstExpr *expr, const AstVisitor *visitor) {
    if (expr == NULL) {
        return;
    }
    if (visitor->expr != NULL) {
        visitor->expr(expr, visitor->data);
    }
    for (; expr->kind == AST_BINARY || expr->kind == AST_INDEX; expr = ast_chain_next(expr)) {
        visit_link(expr, visitor);
        if (visitor->expr != NULL) {
            visitor->expr(ast_chain_next(expr), visitor->data);
        }
    }
    switch (expr->kind) {
    case AST_INTEGER:
    case AST_REAL:
    case AST_BOOLEAN:
    case AST_STRING:
    case AST_ELLIPSIS:
    case AST_ERROR: return;
    case AST_NAME: visit_exprs(&expr->name.macro_indices, visitor); return;
    case AST_ATTR:
        ast_visit_expr(expr->attr.object, visitor);
        visit_exprs(&expr->attr.name.macro_indices, visitor);
        return;
    case AST_CALL:
        ast_visit_expr(expr->call.callee, visitor);
        visit_exprs(&expr->call.args, visitor);
        return;
    case AST_CAST:
        visit_type(expr->cast.type, visitor);
        ast_visit_expr(expr->cast.arg, visitor);
        return;
    case AST_UNARY: ast_visit_expr(expr->unary.operand, visitor); return;
    case AST_BINARY:
    case AST_INDEX: break; // walked above
    case AST_TRANSPOSE: ast_visit_expr(expr->transpose.operand, visitor); return;
    case AST_TENSOR: visit_exprs(&expr->tensor.elements, visitor); return;
    case AST_RANGE:
        ast_visit_expr(expr->range.first, visitor);
        ast_visit_expr(expr->range.last, visitor);
        ast_visit_expr(expr->range.step, visitor);
        return;
    case AST_OPTIONAL: ast_visit_expr(expr->optional, visitor); return;
    case AST_TYPE_ARG: visit_type(expr->type, visitor); return;
    }
    UNREACHABLE();
}

void ast_visit_block(const AstBlock *block, const AstVisitor *visitor) {
    for (size_t k = 0; k < block->count; k++) {
        ast_visit_stmt(block->items[k], visitor);
    }
}

void ast_visit_stmt(const AstStmt *stmt, const AstVisitor *visitor) {
    if (visitor->stmt != NULL) {
        visitor->stmt(stmt, visitor->data);
    }
    switch (stmt->kind) {
    case AST_ASSIGN:
        ast_visit_expr(stmt->assign.target, visitor);
        ast_visit_expr(stmt->assign.value, visitor);
        return;
    case AST_DECL:
        visit_type(stmt->decl.type, visitor);
        ast_visit_expr(stmt->decl.value, visitor);
        return;
    case AST_TERMINAL:
        visit_type(stmt->terminal.type, visitor);
        ast_visit_expr(stmt->terminal.value, visitor);
        return;
    case AST_IF:
    case AST_MACRO_IF:
        for (size_t k = 0; k < stmt->branch.arm_count; k++) {
            ast_visit_expr(stmt->branch.arms[k].condition, visitor);
            ast_visit_block(&stmt->branch.arms[k].body, visitor);
        }
        ast_visit_block(&stmt->branch.otherwise, visitor);
        return;
    case AST_WHILE:
        ast_visit_expr(stmt->loop.condition, visitor);
        ast_visit_block(&stmt->loop.body, visitor);
        return;
    case AST_FOR:
    case AST_MACRO_FOR:
        ast_visit_expr(stmt->for_loop.range, visitor);
        ast_visit_block(&stmt->for_loop.body, visitor);
        return;
    case AST_RETURN: ast_visit_expr(stmt->value, visitor); return;
    case AST_CALL_STMT: ast_visit_expr(stmt->call, visitor); return;
    case AST_GUARD:
        visit_exprs(&stmt->guard.names, visitor);
        ast_visit_block(&stmt->guard.body, visitor);
        ast_visit_block(&stmt->guard.otherwise, visitor);
        return;
    case AST_FUNCTION:
        for (size_t k = 0; k < stmt->function.param_count; k++) {
            visit_type(stmt->function.params[k].type, visitor);
        }
        visit_type(stmt->function.result, visitor);
        ast_visit_block(&stmt->function.body, visitor);
        return;
    case AST_BREAK:
    case AST_CONTINUE:
    case AST_PASS:
    case AST_IMPORT:
    case AST_ERROR_STMT: return;
    }
    UNREACHABLE();
}
