// Which declarations a position of a document can name.
#ifndef TMLC_LSP_SCOPE_H
#define TMLC_LSP_SCOPE_H

#include "lsp/token_list.h"
#include "sema/notes/notes.h"

typedef LIST_OF(const NameNote *) LspNames;

// One note for each name without a namespace, and for those in one: the latest declaration that is
// visible.
LspNames lsp_visible(Arena *arena, const LspDocument *document, const LspTokens *tokens,
                     uint32_t position);

// Whether a file can use names of the other: it is that, or imports it.
bool lsp_is_visible_file(Arena *arena, const AstFile *from, const SourceFile *file);

// Where the blocks of a file are; they live in `arena`.
typedef struct LspBlocks LspBlocks;
const LspBlocks *lsp_find_blocks(Arena *arena, const LspTokens *tokens);

// The innermost block around a position: what is declared there, as `role`, has its name in this
// block alone. Nowhere at file level.
Span lsp_block_around(const LspBlocks *blocks, NameRole role, uint32_t position);

#endif
