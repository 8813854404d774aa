// Prints a syntax tree as indented text, for `--emit=ast` and tests.
#ifndef TMLC_PARSER_AST_PRINT_H
#define TMLC_PARSER_AST_PRINT_H

#include "parser/ast.h"
#include "support/buffer.h"

void ast_print_file(Buffer *out, const AstFile *file);

#endif
