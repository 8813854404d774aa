// Source text to syntax tree.
#ifndef TMLC_PARSER_PARSE_H
#define TMLC_PARSER_PARSE_H

#include "parser/ast.h"
#include "support/context.h"

// Parses one file. Errors go to context->diags; the tree then holds AST_ERROR nodes in the places
// that could not be understood. Never NULL.
AstFile *parse_file(Context *context, SourceFile *source);

#endif
