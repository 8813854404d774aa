// Expressions as they could be written in source, fully parenthesised, for tests that parse what
// was printed.
#ifndef TMLC_TESTS_UNIT_PARSER_PRINT_EXPR_H
#define TMLC_TESTS_UNIT_PARSER_PRINT_EXPR_H

#include "parser/ast.h"
#include "support/buffer.h"

void print_source_expr(Buffer *out, const AstExpr *expr);

#endif
