// Reading, or writing, some elements of rows at once in a loop inside of one whose turns run side
// by side (tir/lanes_rows.h).
#ifndef TMLC_CODEGEN_EMIT_MASKED_AHEAD_H
#define TMLC_CODEGEN_EMIT_MASKED_AHEAD_H

#include "codegen/emit/masked_value.h"
#include "tir/lanes_rows.h"

enum { MASKED_AHEAD = 4 }; // turns of the loop inside, at most

// What is moved so, with the elements of each view in each turn.
typedef struct MaskedAhead {
    LanesRows rows;
    Parts (*reads)[MASKED_AHEAD], (*writes)[MASKED_AHEAD];
} MaskedAhead;

MaskedAhead masked_ahead_find(Gen *gen, TirStmt *loop);
// Reads for so many turns from that on which the loop's variable is at.
void masked_ahead_read(Gen *gen, const MaskedAhead *ahead, unsigned count);
// From here on masked_element takes what was read for a turn, and what is written is kept; or, with
// all of them over, reads and writes.
void masked_ahead_begin(Gen *gen, const MaskedAhead *ahead, unsigned turn);
void masked_ahead_end(Gen *gen, const MaskedAhead *ahead);
// Whether a view is written behind the turns: the value is kept.
bool masked_ahead_keep(Gen *gen, const TirExpr *place, LLVMValueRef value);
// Writes what so many turns have kept, from that on which the loop's variable is at.
void masked_ahead_write(Gen *gen, const MaskedAhead *ahead, unsigned count);

#endif
