// Transposing on the way, as plan/tiles.h says.
#ifndef TMLC_CODEGEN_EMIT_TILE_H
#define TMLC_CODEGEN_EMIT_TILE_H

#include "codegen/gen.h"
#include "codegen/plan/tiles.h"

// Emits `destination = value` in square tiles.
void tile_set(Gen *gen, const Destination *to, const TirExpr *value, const TilesPlan *plan);

#endif
