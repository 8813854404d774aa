// Where lines begin and how far they are indented; the text of the result.
#ifndef TMLC_FORMAT_LAYOUT_H
#define TMLC_FORMAT_LAYOUT_H

#include "format/piece.h"
#include "support/buffer.h"

// Decides `breaks`, `blanks` and `is_aligned` of the pieces and appends the text. Says whether a
// line was broken because it was too long: then the result, which has more lines, may have another
// layout.
bool layout_print(Arena *arena, Pieces *pieces, Buffer *out);

#endif
