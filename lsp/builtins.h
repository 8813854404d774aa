// The functions that every program has, built in or of the library in TML: their parameters, and
// what they do.
#ifndef TMLC_LSP_BUILTINS_H
#define TMLC_LSP_BUILTINS_H

#include "lsp/state.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct LspBuiltin {
    const char *name;
    const char *parameters; // "a[, b]"
    const char *help;       // paragraphs, with an empty line between two
} LspBuiltin;

// Number `k`, from 0; false behind the last one.
bool lsp_builtin(Arena *arena, size_t k, LspBuiltin *builtin);
// False when there is none of that name.
bool lsp_find_builtin(Arena *arena, const char *name, LspBuiltin *builtin);
// The one that a call at a position of the document's compilation names; false where there is none,
// or the program has a function of this name. *span is that of the name.
bool lsp_builtin_at(Arena *arena, LspDocument *document, uint32_t position, LspBuiltin *builtin,
                    Span *span);

#endif
