// The functions that every program has, built in or of the library in TML, with their parameters.
#ifndef TMLC_LSP_BUILTINS_H
#define TMLC_LSP_BUILTINS_H

#include "support/arena.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct LspBuiltin {
    const char *name;
    const char *parameters; // "a[, b]"
} LspBuiltin;

// Number `k`, from 0; false behind the last one.
bool lsp_builtin(Arena *arena, size_t k, LspBuiltin *builtin);
// False when there is none of that name.
bool lsp_find_builtin(Arena *arena, const char *name, LspBuiltin *builtin);

#endif
