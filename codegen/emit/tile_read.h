// Reads of a tile (tile.h).
#ifndef TMLC_CODEGEN_EMIT_TILE_READ_H
#define TMLC_CODEGEN_EMIT_TILE_READ_H

#include "codegen/gen.h"

// The lanes at `base` and at each `step` scalars behind it, for the row at hand. What the other
// rows of the tile need lies beside it, is loaded with the first row, and kept.
LLVMValueRef tile_read(Gen *gen, Root root, LLVMValueRef base, int64_t step);

#endif
