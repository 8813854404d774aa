// Leaves of the tree as source text. For the printers alone.
#ifndef TMLC_PARSER_AST_TEXT_H
#define TMLC_PARSER_AST_TEXT_H

#include "parser/ast.h"
#include "support/buffer.h"

const char *ast_scalar_text(AstScalar scalar);
// An integer, real, boolean or string literal, so that reading it gives the same value.
void ast_text_literal(Buffer *out, const AstExpr *expr);
void ast_text_string(Buffer *out, Slice string);

#endif
