// Transposing on the way: values that are read along another dim than the one they are written
// along, in squares that are turned in registers.
#ifndef TMLC_CODEGEN_EMIT_TILE_H
#define TMLC_CODEGEN_EMIT_TILE_H

#include "codegen/emit/destination.h"

// Emits `destination = value` in square tiles; false, with nothing emitted, when the value is not
// of that kind or too small.
bool tile_set(Gen *gen, const Destination *to, const TirExpr *value);

#endif
