// Which arrays are always read and written by whole rows, and which element by element.
#ifndef TMLC_TIR_PARTS_H
#define TMLC_TIR_PARTS_H

#include "tir/tir.h"

// Sets has_parts, has_elements, has_wholes and has_rows of every variable. A row is what lies along
// the last dim. Reading single elements makes no part: whatever wrote them, one at a time can be
// had.
void tir_note_parts(TirProgram *program);

#endif
