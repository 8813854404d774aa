// See blocks.h.
#include "lsp/blocks.h"

#include "lexer/lexer.h"

#include <string.h>

typedef struct Scan {
    Arena *arena;
    LspBlocks open, open_brackets;
    LspBlocks *blocks, *brackets;
} Scan;

static void close_block(Scan *scan, uint32_t end, bool goes_on) {
    if (scan->open.count > 0) {
        LspBlock block = scan->open.items[--scan->open.count];
        block.end = end;
        block.goes_on = goes_on;
        LIST_PUSH(scan->arena, scan->blocks, block);
    }
}

// `count` brackets are open after the token at `start`.
static void see_brackets(Scan *scan, size_t count, uint32_t start) {
    if (count > scan->open_brackets.count) {
        LIST_PUSH(scan->arena, &scan->open_brackets, (LspBlock){.header = start});
    }
    while (count < scan->open_brackets.count) {
        LspBlock bracket = scan->open_brackets.items[--scan->open_brackets.count];
        bracket.end = start;
        LIST_PUSH(scan->arena, scan->brackets, bracket);
    }
}

void lsp_blocks(Arena *arena, const char *text, size_t len, LspBlocks *blocks,
                LspBlocks *brackets) {
    Context *context = context_create();
    SourceFile *source = sources_add(context->sources, "", text, len);
    Lexer *lexer = lexer_create(context, source);
    Scan scan = {.arena = arena, .blocks = blocks, .brackets = brackets};
    uint32_t statement = 0;
    for (;;) {
        Token token = lexer_next(lexer);
        uint32_t start = token.span.start - source->base;
        if (token.kind == TOKEN_END_OF_FILE) {
            break;
        }
        bool goes_on = token.kind == TOKEN_ELSE || token.kind == TOKEN_ELSEIF;
        if (token.first_on_line && scan.open_brackets.count == 0) {
            statement = start;
        }
        if (goes_on || token.kind == TOKEN_END) {
            close_block(&scan, start, goes_on);
        } else if (token.kind == TOKEN_HEADER_COLON) {
            LIST_PUSH(arena, &scan.open, (LspBlock){.header = statement});
        }
        see_brackets(&scan, lexer_bracket_count(lexer), start);
    }
    while (scan.open.count > 0) {
        close_block(&scan, (uint32_t)len, false);
    }
    lexer_destroy(lexer);
    context_destroy(context);
}

bool lsp_block_header(const char *text, size_t len, uint32_t offset, uint32_t *header) {
    Arena *arena = arena_create();
    LspBlocks blocks = {0}, brackets = {0};
    lsp_blocks(arena, text, len, &blocks, &brackets);
    bool found = false;
    for (size_t i = 0; i < blocks.count && !found; i++) {
        found = blocks.items[i].end == offset && offset < len;
        *header = blocks.items[i].header;
    }
    arena_destroy(arena);
    return found;
}
