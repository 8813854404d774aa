// How many blanks stand between two pieces of a line.
#ifndef TMLC_FORMAT_SPACING_H
#define TMLC_FORMAT_SPACING_H

#include "format/piece.h"

uint32_t spacing_between(const Piece *before, const Piece *piece);
// An operator between two operands, before which a line may be broken.
bool spacing_is_operator(const Piece *piece);

#endif
