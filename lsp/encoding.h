// Messages that are not UTF-8, or hold halves of surrogate pairs. Jansson takes neither, but what
// is wrong is a byte of some document, about which the compiler has a message.
#ifndef TMLC_LSP_ENCODING_H
#define TMLC_LSP_ENCODING_H

#include "support/buffer.h"

#include <stddef.h>

// Appends JSON with a mark, which is UTF-8, in place of each byte that is wrong; half of a pair is
// three such bytes.
void lsp_mark_bytes(const char *json, size_t len, Buffer *out);
// Appends a text of such JSON with the bytes back in place.
void lsp_unmark_bytes(const char *text, size_t len, Buffer *out);

#endif
