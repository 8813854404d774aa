#include "parser/ast.h"

#include "support/bug.h"

const char *ast_unary_text(AstUnaryOp op) {
    switch (op) {
#define AST_UNARY_OP(NAME, text) \
    case AST_UNARY_##NAME: return text;
#include "parser/ast.def"
    }
    UNREACHABLE();
}

const char *ast_binary_text(AstBinaryOp op) {
    switch (op) {
#define AST_BINARY_OP(NAME, text) \
    case AST_BINARY_##NAME: return text;
#include "parser/ast.def"
    }
    UNREACHABLE();
}
