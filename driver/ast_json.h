// The syntax tree as JSON, for `--emit=ast-json` and tools that read programs.
#ifndef TMLC_DRIVER_AST_JSON_H
#define TMLC_DRIVER_AST_JSON_H

#include "parser/ast.h"
#include "support/buffer.h"

// Every node is an object with its `kind`, its bytes `start` to `end` in the file and its fields,
// which are those of parser/ast.h.
void ast_json_print(Buffer *out, const AstFile *file);

#endif
