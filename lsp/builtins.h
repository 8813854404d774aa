// The built-in functions by name, with their parameters.
#ifndef TMLC_LSP_BUILTINS_H
#define TMLC_LSP_BUILTINS_H

#include <stddef.h>

typedef struct LspBuiltin {
    const char *name;
    const char *parameters; // "a[, b]"
} LspBuiltin;

// Number `k`, from 0; NULL behind the last one.
const LspBuiltin *lsp_builtin(size_t k);
// NULL when there is none of that name.
const LspBuiltin *lsp_find_builtin(const char *name);

#endif
