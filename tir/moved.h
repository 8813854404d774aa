// Short arrays that are moved along element by element (shift.h), which are better held in scalars.
#ifndef TMLC_TIR_MOVED_H
#define TMLC_TIR_MOVED_H

#include "support/table.h"
#include "tir/build.h"

// Makes sums, extremes and products of these arrays, a table of TirVars, such of literals of their
// elements: terms are grouped as before, but nothing reads the array as a whole.
void tir_read_moved(Tir *tir, TirProgram *program, const Table *moved);

#endif
