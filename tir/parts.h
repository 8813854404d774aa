// Which arrays are always read and written by whole rows, and which element by element.
#ifndef TMLC_TIR_PARTS_H
#define TMLC_TIR_PARTS_H

#include "tir/visit.h"

// Sets has_parts, has_elements, has_wholes and has_rows of every variable. A row is what lies along
// the last dim. Reading single elements makes no part: whatever wrote them, one at a time can be
// had.
void tir_note_parts(TirProgram *program);

// Whether it has so few turns that it is straight code to LLVM.
bool tir_is_straight_loop(const TirStmt *loop);
// One element of a variable whose place is constant, also when the straight ones of these loops
// around it are written out.
bool tir_is_element(const LoopAround *around, const TirExpr *expr);

#endif
