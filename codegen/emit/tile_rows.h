// The rows of one square that is turned in registers (tile_read.h), one after the other.
#ifndef TMLC_CODEGEN_EMIT_TILE_ROWS_H
#define TMLC_CODEGEN_EMIT_TILE_ROWS_H

#include "codegen/emit/index.h"
#include "codegen/plan/tiles.h"

// Takes the value of a row, which is at these positions of the result.
typedef void TileRow(Gen *gen, void *data, Index index, LLVMValueRef value, unsigned row);
// Lanes from `at` on along the dim of lanes.
Index tile_index(Gen *gen, const TilesPlan *plan, const TirExpr *value, const LLVMValueRef *at,
                 unsigned lanes);
// The square whose first element is at `at`.
void tile_rows(Gen *gen, const TilesPlan *plan, const TirExpr *value, LLVMValueRef *at,
               TileRow *take, void *data);

#endif
