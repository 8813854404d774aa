// Statements that read columns of a matrix, or sum short rows of it up, or make it of columns, as a
// loop over its rows.
#ifndef TMLC_TIR_COLUMNS_H
#define TMLC_TIR_COLUMNS_H

#include "tir/build.h"

// The element of an expression of one dim at a loop's variable; NULL where it is not computed
// alone.
TirExpr *columns_element(Tir *tir, TirVar *counter, TirExpr *expr);
// The same of one of two dims, at the variables of two loops.
TirExpr *columns_element_of_row(Tir *tir, TirVar *row, TirVar *column, TirExpr *expr);
// Whether the set reads a column of a matrix that has more than a few, or sums up short rows.
bool columns_are_read(const TirStmt *set);
// A loop over the elements that these sets of one dim walk, each of scalars; it may be marked to
// run side by side, and has a new variable of the function. NULL where elements of a set are not
// computed alone, or few columns are read.
TirStmt *columns_loop(Tir *tir, TirFunction *function, const TirBlock *sets);
// Whether the statement writes a column of a matrix of a few, or every few elements.
bool columns_are_written(const TirStmt *stmt);
// Whether the sets together write whole rows of a few columns, or all of every few elements, as
// those of y[0::2] and y[1::2] do.
bool columns_write_rows(const TirBlock *sets);
// Loops over the elements that such sets walk. NULL where they are others, or elements of a set are
// not computed alone.
TirStmt *columns_written_loop(Tir *tir, TirFunction *function, const TirBlock *sets);
// Loops, likewise, over the rows that the set makes of a few columns, as of real and imaginary
// parts, or planes of colours. NULL where it makes none, or elements of a column are not computed
// alone.
TirStmt *columns_stacked_loop(Tir *tir, TirFunction *function, TirStmt *set);

#endif
