// See builtins.h. What the library's functions take stands in their headers.
#include "lsp/builtins.h"

#include "lsp/symbol.h"
#include "lsp/token_list.h"
#include "sema/help.h"
#include "sema/library/library.h"

#include <string.h>

static const struct {
    const char *name, *parameters;
} builtins[] = {
#define BUILTIN(name, handler, op, least, most, form, takes, parameters) {name, parameters},
#include "sema/builtin/builtin.def"
};

enum { BUILTIN_COUNT = sizeof builtins / sizeof builtins[0] };

// The end of a parameter at `at`: the comma or parenthesis behind it.
static const char *param_end(const char *at) {
    for (int depth = 0; *at != '\0' && (depth > 0 || (*at != ',' && *at != ')')); at++) {
        depth += strchr("<[(", *at) != NULL;
        depth -= strchr(">])", *at) != NULL;
    }
    return at;
}

// "x[, limit]" of `fn f(tensor<real, n> x, real limit = 1.0) ...`.
static const char *header_names(Arena *arena, const char *header) {
    const char *names = "";
    const char *closing = "";
    const char *at = strchr(header, '(') + 1;
    for (bool goes_on = *at != ')'; goes_on; at++) {
        const char *end = param_end(at);
        const char *sign = memchr(at, '=', (size_t)(end - at));
        const char *name_end = sign == NULL ? end : sign;
        while (!lsp_is_name_byte(name_end[-1])) {
            name_end--;
        }
        const char *name = name_end;
        while (lsp_is_name_byte(name[-1])) {
            name--;
        }
        const char *between = *names == '\0' ? "" : ", ";
        names = arena_format(arena, "%s%s%s%.*s", names, sign == NULL ? "" : "[", between,
                             (int)(name_end - name), name);
        closing = sign == NULL ? closing : arena_format(arena, "%s]", closing);
        goes_on = *end == ',';
        at = end;
    }
    return arena_format(arena, "%s%s", names, closing);
}

static LspBuiltin builtin_of(Arena *arena, const char *name, const char *parameters) {
    return (LspBuiltin){name, parameters, help_of_function(arena, name, false)};
}

static LspBuiltin library_builtin(Arena *arena, const LibraryRow *row) {
    return builtin_of(arena, row->name, header_names(arena, row->text));
}

bool lsp_builtin(Arena *arena, size_t k, LspBuiltin *builtin) {
    if (k < BUILTIN_COUNT) {
        *builtin = builtin_of(arena, builtins[k].name, builtins[k].parameters);
        return true;
    }
    const LibraryRow *row = library_row(k - BUILTIN_COUNT);
    if (row != NULL) {
        *builtin = library_builtin(arena, row);
    }
    return row != NULL;
}

bool lsp_find_builtin(Arena *arena, const char *name, LspBuiltin *builtin) {
    for (size_t k = 0; k < BUILTIN_COUNT; k++) {
        if (strcmp(builtins[k].name, name) == 0) {
            return lsp_builtin(arena, k, builtin);
        }
    }
    const LibraryRow *row = library_named(name);
    if (row != NULL) {
        *builtin = library_builtin(arena, row);
    }
    return row != NULL;
}

// Whether the token at `k` is a name that is called.
static bool is_called(const LspTokens *tokens, size_t k) {
    const Token *token = &tokens->list.items[k];
    if (token->kind != TOKEN_NAME || (k > 0 && token[-1].kind == TOKEN_DOT) ||
        (k > 0 && token[-1].kind == TOKEN_FN)) {
        return false;
    }
    return token[1].kind == TOKEN_CALL_PAREN ||
           (token[1].kind == TOKEN_BANG && token[2].kind == TOKEN_CALL_PAREN);
}

bool lsp_builtin_at(Arena *arena, LspDocument *document, uint32_t position, LspBuiltin *builtin,
                    Span *span) {
    const LspTokens *tokens = lsp_document_tokens(document);
    size_t k = lsp_tokens_before(tokens, position);
    const Token *token = &tokens->list.items[k];
    LspSymbol own;
    bool found = token->span.start <= position && is_called(tokens, k) &&
                 !lsp_symbol_at(arena, document, position, &own) &&
                 lsp_find_builtin(arena, token->name->text, builtin);
    *span = token->span;
    return found;
}
