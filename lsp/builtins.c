// See builtins.h.
#include "lsp/builtins.h"

#include <string.h>

static const LspBuiltin builtins[] = {
#define BUILTIN(name, handler, op, least, most, form, takes, parameters) {name, parameters},
#include "sema/builtin/builtin.def"
};

const LspBuiltin *lsp_builtin(size_t k) {
    return k < sizeof builtins / sizeof builtins[0] ? &builtins[k] : NULL;
}

const LspBuiltin *lsp_find_builtin(const char *name) {
    for (size_t k = 0; lsp_builtin(k) != NULL; k++) {
        if (strcmp(builtins[k].name, name) == 0) {
            return &builtins[k];
        }
    }
    return NULL;
}
