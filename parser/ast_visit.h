// Looks for something in a syntax tree, from outside in.
#ifndef TMLC_PARSER_AST_VISIT_H
#define TMLC_PARSER_AST_VISIT_H

#include "parser/ast.h"

typedef struct AstVisitor {
    // These may be NULL. Called before the parts of the node, those of an operator and of an index
    // from right to left. They say whether it is found, and then the walk is over.
    bool (*expr)(const AstExpr *expr, void *data);
    bool (*stmt)(const AstStmt *stmt, void *data);
    // NULL, or whether the walk passes by a statement: `stmt` is not called for it either.
    bool (*passes)(const AstStmt *stmt, void *data);
    void *data;
} AstVisitor;

// Whether it is found in or below `expr`, in its types too.
bool ast_visit_expr(const AstExpr *expr, const AstVisitor *visitor);
bool ast_visit_exprs(const AstExprs *exprs, const AstVisitor *visitor);
// In the statements of the block, nested ones, and all their expressions.
bool ast_visit_block(const AstBlock *block, const AstVisitor *visitor);
bool ast_visit_stmt(const AstStmt *stmt, const AstVisitor *visitor);

#endif
