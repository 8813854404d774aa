// Literals that are drawn over several lines, a row on each: their elements stand in columns.
#ifndef TMLC_FORMAT_COLUMNS_H
#define TMLC_FORMAT_COLUMNS_H

#include "format/piece.h"

// Sets the blanks before the elements of such literals and marks their pieces; `breaks` and
// `blanks` of all pieces are decided.
void columns_align(Arena *arena, Pieces *pieces);

#endif
