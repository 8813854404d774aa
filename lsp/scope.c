// See scope.h. Blocks are found in the tokens, because the tree does not say where they end, and
// because the tree of an unfinished text may lack them. Macros open no scope (L10.7).
#include "lsp/scope.h"

#include "lsp/symbol.h"
#include "parser/ast_visit.h"
#include "support/path.h"
#include "support/table.h"

#include <string.h>

typedef struct Block {
    uint32_t start, header_end, end; // from its first word to its `end`
    bool is_macro;
    bool is_function;
} Block;

struct LspBlocks {
    LIST_OF(Block) all;
    LIST_OF(size_t) open, functions;
};

static bool begins_block(TokenKind kind) {
    return kind == TOKEN_FN || kind == TOKEN_IF || kind == TOKEN_FOR || kind == TOKEN_WHILE ||
           kind == TOKEN_EXISTS || kind == TOKEN_FEEDTHROUGH || kind == TOKEN_ELSE ||
           kind == TOKEN_ELSEIF || kind == TOKEN_TEST;
}

const LspBlocks *lsp_find_blocks(Arena *arena, const LspTokens *tokens) {
    LspBlocks *blocks = ARENA_NEW(arena, LspBlocks);
    Block header = {0};
    bool was_macro = false; // the block that `else` goes on
    for (size_t k = 0; k < tokens->list.count; k++) {
        const Token *token = &tokens->list.items[k];
        bool goes_on = token->kind == TOKEN_ELSE || token->kind == TOKEN_ELSEIF;
        if ((token->kind == TOKEN_END || goes_on) && blocks->open.count > 0) {
            Block *closed = &blocks->all.items[blocks->open.items[--blocks->open.count]];
            closed->end = token->span.start;
            was_macro = closed->is_macro;
        }
        if (begins_block(token->kind)) {
            bool is_macro = k > 0 && tokens->list.items[k - 1].kind == TOKEN_MACRO;
            header = (Block){.start = token->span.start,
                             .is_macro = goes_on ? was_macro : is_macro,
                             .is_function = token->kind == TOKEN_FN || token->kind == TOKEN_TEST};
        }
        if (token->kind == TOKEN_HEADER_COLON) {
            header.header_end = token->span.end;
            header.end = tokens->list.items[tokens->list.count - 1].span.end;
            LIST_PUSH(arena, &blocks->open, blocks->all.count);
            if (header.is_function) {
                LIST_PUSH(arena, &blocks->functions, blocks->all.count);
            }
            LIST_PUSH(arena, &blocks->all, header);
        }
    }
    return blocks;
}

static bool has(const Block *block, uint32_t position) {
    return block->start <= position && position < block->end;
}

// Whether the blocks around a declaration are around the position as well; for the variable of a
// macro, those of macros too. Where a macro makes names of parts, each copy of its body has one.
static bool is_open_to(const LspBlocks *blocks, Span declaration, NameRole role, bool has_parts,
                       uint32_t position) {
    for (size_t k = 0; k < blocks->all.count; k++) {
        const Block *block = &blocks->all.items[k];
        bool is_scope = (!block->is_macro || role == NAME_MACRO) && has(block, declaration.start);
        bool is_copy = block->is_macro && has_parts && has(block, declaration.start);
        bool is_header = has(block, declaration.start) && declaration.start < block->header_end &&
                         position <= block->header_end;
        if ((is_scope && !has(block, position)) || (is_copy && has(block, position)) || is_header) {
            return false;
        }
    }
    return true;
}

// The function, or test, around a position; nowhere at file level. They do not hold one another.
static Span function_around(const LspBlocks *blocks, uint32_t position) {
    size_t low = 0;
    for (size_t high = blocks->functions.count; low < high;) {
        size_t middle = low + (high - low) / 2;
        bool ends_before = blocks->all.items[blocks->functions.items[middle]].end <= position;
        low = ends_before ? middle + 1 : low;
        high = ends_before ? high : middle;
    }
    if (low == blocks->functions.count) {
        return (Span){0, 0};
    }
    const Block *block = &blocks->all.items[blocks->functions.items[low]];
    return has(block, position) ? (Span){block->start, block->end} : (Span){0, 0};
}

Span lsp_block_around(const LspBlocks *blocks, NameRole role, uint32_t position) {
    Span best = {0, 0};
    for (size_t k = 0; k < blocks->all.count; k++) {
        const Block *block = &blocks->all.items[k];
        bool is_smaller =
            span_is_nowhere(best) || block->end - block->start < best.end - best.start;
        if ((!block->is_macro || role == NAME_MACRO) && has(block, position) && is_smaller) {
            best = (Span){block->start, block->end};
        }
    }
    return best;
}

// The statement at the position: what it declares is not known in it.
typedef struct Unfinished {
    uint32_t position;
    Span span;
} Unfinished;

static bool is_unfinished(const AstStmt *stmt, void *data) {
    Unfinished *unfinished = data;
    bool declares = stmt->kind == AST_ASSIGN || stmt->kind == AST_ASSIGN_ALL ||
                    stmt->kind == AST_DECL || stmt->kind == AST_TERMINAL ||
                    stmt->kind == AST_INSTANCE;
    if (declares && stmt->span.start <= unfinished->position &&
        unfinished->position <= stmt->span.end) {
        unfinished->span = stmt->span;
    }
    return false;
}

bool lsp_is_visible_file(Arena *arena, const AstFile *from, const SourceFile *file) {
    const AstBlock *statements = &from->statements;
    for (size_t k = 0; file != from->source && k < statements->count; k++) {
        const AstStmt *stmt = statements->items[k];
        if (stmt->kind == AST_IMPORT &&
            strcmp(path_from(arena, from->source->path, stmt->import.path), file->path) == 0) {
            return true;
        }
    }
    return file == from->source;
}

typedef struct Search {
    Arena *arena;
    const LspDocument *document;
    const LspBlocks *blocks;
    Unfinished unfinished;
    uint32_t position;
    Span function; // around it
} Search;

static bool is_visible(const Search *search, const NameNote *note) {
    uint32_t at = note->declaration.start;
    SourcePlace place = sources_place(search->document->context->sources, at);
    if (!note->declares || place.file == NULL ||
        !lsp_is_visible_file(search->arena, search->document->ast, place.file)) {
        return false;
    }
    if (place.file != search->document->source) {
        bool is_file_level = note->role == NAME_FUNCTION || note->role == NAME_GLOBAL;
        return note->role == NAME_CONSTANT || is_file_level;
    }
    if (note->role == NAME_FUNCTION) {
        return true;
    }
    const Span *own = &search->unfinished.span;
    if (own->start <= at && at < own->end) {
        return false;
    }
    Span function = function_around(search->blocks, at);
    bool is_of_file = span_is_nowhere(function);
    if (!is_of_file && function.start != search->function.start) {
        return false;
    }
    bool is_later = at >= search->position;
    Span itself = lsp_name_itself(search->document, note->declaration);
    bool has_parts = itself.end - itself.start != note->name->len;
    return is_open_to(search->blocks, note->declaration, note->role, has_parts, search->position) &&
           (!is_later || (is_of_file && !span_is_nowhere(search->function)));
}

LspNames lsp_visible(Arena *arena, const LspDocument *document, const LspTokens *tokens,
                     uint32_t position) {
    Search search = {.arena = arena,
                     .document = document,
                     .blocks = lsp_find_blocks(arena, tokens),
                     .unfinished = {.position = position},
                     .position = position};
    search.function = function_around(search.blocks, position);
    AstVisitor visitor = {.stmt = is_unfinished, .data = &search.unfinished};
    ast_visit_block(&document->ast->statements, &visitor);
    LspNames names = {0};
    Table known = {0}; // by name and namespace: where it stands in `names`, from 1
    const Notes *notes = &document->notes;
    for (size_t k = 0; k < notes->names.count; k++) {
        const NameNote *note = &notes->names.items[k];
        if (!note->declares || !is_visible(&search, note)) {
            continue;
        }
        const char *text = arena_format(arena, "%s%s", note_space_text(note), note->name->text);
        Name key = names_intern_text(tokens->context->names, text);
        uintptr_t at = (uintptr_t)table_get(&known, key);
        if (at == 0) {
            LIST_PUSH(arena, &names, note);
            table_set(arena, &known, key, (void *)(uintptr_t)names.count);
        } else {
            names.items[at - 1] = note;
        }
    }
    return names;
}
