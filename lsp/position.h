// Positions: the protocol has lines and columns in bytes or in units of UTF-16, as client and
// server agreed; the compiler has offsets.
#ifndef TMLC_LSP_POSITION_H
#define TMLC_LSP_POSITION_H

#include "lsp/state.h"

// Finds where lines begin. `starts` is malloc'd (or NULL at first) and resized.
void lsp_lines_find(LspLines *lines, const char *text, size_t len);

// The line of a byte, from 0.
uint32_t lsp_line(const LspLines *lines, uint32_t offset);

// The byte that a position of the client means in a text. What lies behind the end of a line is its
// end, and behind the last line the end of the text. False when `position` is none.
__attribute__((warn_unused_result)) bool lsp_offset(const LspServer *server, const char *text,
                                                    size_t len, const LspLines *lines,
                                                    const json_t *position, uint32_t *offset);

// What a position, or span, of the document's compilation is for the client; one in an import lies
// in that file.
json_t *lsp_position(const LspServer *server, LspDocument *document, uint32_t position);
json_t *lsp_range(const LspServer *server, LspDocument *document, Span span);
// With the file: {"uri", "range"}.
json_t *lsp_location(const LspServer *server, LspDocument *document, Span span);

#endif
