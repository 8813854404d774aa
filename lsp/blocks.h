// The blocks of a text as its tokens tell them, also where it does not parse: what a header's colon
// opens and an `end` closes.
#ifndef TMLC_LSP_BLOCKS_H
#define TMLC_LSP_BLOCKS_H

#include "support/context.h"

#include <stdbool.h>

typedef struct LspBlock {
    uint32_t header; // offset of the first token of its header
    uint32_t end;    // of the `end`, `else` or `elseif` that closes it; of the end of the text
    bool goes_on;    // it is closed by `else` or `elseif`
} LspBlock;

typedef LIST_OF(LspBlock) LspBlocks;

// The blocks in the order of their ends, and the spans of brackets that reach over lines; both from
// the arena.
void lsp_blocks(Arena *arena, const char *text, size_t len, LspBlocks *blocks, LspBlocks *brackets);

// The offset of the header to which an `end`, `else` or `elseif` at `offset` belongs. False when
// there is none.
__attribute__((warn_unused_result)) bool lsp_block_header(const char *text, size_t len,
                                                          uint32_t offset, uint32_t *header);

#endif
