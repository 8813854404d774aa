// Transposing on the way: values that are read along another dim than the one they are written
// along, in squares that are turned in registers.
#ifndef TMLC_CODEGEN_EMIT_TILE_H
#define TMLC_CODEGEN_EMIT_TILE_H

#include "codegen/emit/destination.h"

// Emits `destination = value` in square tiles; false, with nothing emitted, when the value is not
// of that kind or too small.
bool tile_set(Gen *gen, const Destination *to, const TirExpr *value);

// Within a tile: the lanes at addresses `address.step` apart, for the row at hand. What the other
// rows of the tile need lies beside it, is loaded with the first row, and kept.
LLVMValueRef tile_read(Gen *gen, Root root, Address address);

#endif
