// Walks a syntax tree from outside in.
#ifndef TMLC_PARSER_AST_VISIT_H
#define TMLC_PARSER_AST_VISIT_H

#include "parser/ast.h"

typedef struct AstVisitor {
    // Both may be NULL. Called before the parts of the node, those of an operator and of an index
    // from right to left.
    void (*expr)(const AstExpr *expr, void *data);
    void (*stmt)(const AstStmt *stmt, void *data);
    void *data;
} AstVisitor;

// Every expression and type below `expr`, itself included.
void ast_visit_expr(const AstExpr *expr, const AstVisitor *visitor);
// Every statement of the block, nested ones, and all their expressions.
void ast_visit_block(const AstBlock *block, const AstVisitor *visitor);
void ast_visit_stmt(const AstStmt *stmt, const AstVisitor *visitor);

#endif
