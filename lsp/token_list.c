// See token_list.h.
#include "lsp/token_list.h"

#include "lexer/lexer.h"
#include "support/bug.h"

#include <string.h>

LspTokens lsp_tokens(const SourceFile *source) {
    LspTokens tokens = {.context = context_create()};
    SourceFile *copy =
        sources_add(tokens.context->sources, source->path, source->text, source->len);
    CHECK(copy != NULL); // there was room for it before
    Lexer *lexer = lexer_create(tokens.context, copy);
    for (bool goes_on = true; goes_on;) {
        Token token = lexer_next(lexer);
        goes_on = token.kind != TOKEN_END_OF_FILE;
        token.span.start += source->base - copy->base;
        token.span.end += source->base - copy->base;
        LIST_PUSH(tokens.context->arena, &tokens.list, token);
    }
    lexer_destroy(lexer);
    return tokens;
}

void lsp_tokens_free(LspTokens *tokens) {
    if (tokens->context != NULL) {
        context_destroy(tokens->context);
    }
    *tokens = (LspTokens){0};
}

const LspTokens *lsp_document_tokens(LspDocument *document) {
    if (document->tokens.context == NULL) {
        document->tokens = lsp_tokens(document->source);
    }
    return &document->tokens;
}

size_t lsp_tokens_before(const LspTokens *tokens, uint32_t position) {
    size_t count = 0;
    while (tokens->list.items[count].kind != TOKEN_END_OF_FILE &&
           tokens->list.items[count].span.end <= position) {
        count++;
    }
    return count;
}

bool lsp_is_in_text(const LspDocument *document, const LspTokens *tokens, uint32_t position) {
    size_t before = lsp_tokens_before(tokens, position);
    const Token *next = &tokens->list.items[before];
    const Token *last = before == 0 ? NULL : next - 1;
    const char *text = document->source->text;
    uint32_t base = document->source->base;
    bool is_text = next->kind == TOKEN_STRING_LITERAL || next->kind == TOKEN_BAD_LITERAL;
    if (is_text && next->span.start < position) {
        return true;
    }
    // A text without its end ends with its line.
    if (last != NULL && last->kind == TOKEN_BAD_LITERAL && last->span.end == position &&
        strchr("\"'", text[last->span.start - base]) != NULL) {
        return true;
    }
    // Between two tokens stand blanks and comments only: what counts is the last line of that.
    uint32_t at = position - base;
    uint32_t begin = last == NULL ? 0 : last->span.end - base;
    while (at > begin && text[at - 1] != '\n') {
        at--;
    }
    return memchr(text + at, '#', position - base - at) != NULL;
}
