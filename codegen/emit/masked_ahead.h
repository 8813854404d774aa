// Reading some elements of rows at once in a loop inside of one whose turns run side by side
// (tir/lanes_rows.h).
#ifndef TMLC_CODEGEN_EMIT_MASKED_AHEAD_H
#define TMLC_CODEGEN_EMIT_MASKED_AHEAD_H

#include "codegen/emit/masked_value.h"
#include "tir/lanes_rows.h"

enum { MASKED_AHEAD = 4 }; // turns of the loop inside, at most

// What is read so.
typedef struct MaskedAhead {
    LanesRows rows;
    Parts (*turns)[MASKED_AHEAD]; // of each view: its elements in each turn
} MaskedAhead;

MaskedAhead masked_ahead_find(Gen *gen, TirStmt *loop);
// Reads for so many turns from that on which the loop's variable is at.
void masked_ahead_read(Gen *gen, const MaskedAhead *ahead, unsigned count);
// From here on masked_element takes what was read for a turn; or, with all of them over, reads.
void masked_ahead_begin(Gen *gen, const MaskedAhead *ahead, unsigned turn);
void masked_ahead_end(Gen *gen, const MaskedAhead *ahead);

#endif
