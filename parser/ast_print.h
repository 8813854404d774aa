// Prints a syntax tree as indented text, for `--emit=ast` and tests.
#ifndef TMLC_PARSER_AST_PRINT_H
#define TMLC_PARSER_AST_PRINT_H

#include "parser/ast.h"
#include "support/buffer.h"

void ast_print_file(Buffer *out, const AstFile *file);
// Leaves as source text, for other printers too.
const char *ast_scalar_text(AstScalar scalar);
// An integer, real, boolean or string literal, so that reading it gives the same value.
void ast_text_literal(Buffer *out, const AstExpr *expr);

#endif
